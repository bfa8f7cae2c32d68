import { sharingRuns } from '../../base/concurrency/sharing.js';
import type { Log } from '../../base/telemetry/log.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { type KeyUse, touchKeys } from '../keys/keys.js';

const WRITTEN_EVERY_MS = 60_000;
const MAX_KEYS = 50_000;

/** When and where each key was last used. A key that is in constant use is written once a minute. */
export function createKeyUses(w: UnauditedWrite<'usage'>, log: Log) {
  const uses = new Map<string, KeyUse & { written: number }>();
  return {
    add(use: KeyUse): void {
      uses.set(use.keyId, { ...use, written: uses.get(use.keyId)?.written ?? 0 });
      if (uses.size > MAX_KEYS) uses.delete(uses.keys().next().value as string);
    },
    flush: sharingRuns(async () => {
      const due = [...uses.values()].filter((use) => use.at - use.written >= WRITTEN_EVERY_MS);
      if (due.length === 0) return;
      try {
        await touchKeys(w, due);
        for (const use of due) use.written = use.at;
      } catch (error) {
        log.warn({ err: error }, 'the last use of keys was not written and will be retried');
      }
    }),
  };
}
