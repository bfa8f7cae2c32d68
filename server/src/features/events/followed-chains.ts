import type { Query } from '../../db/sql.js';
import type { ChainFollower, Deps, FollowedChains } from '../../http/deps.js';
import type { ConsolePrincipal, DevicePrincipal, KeyPrincipal } from '../../http/principal.js';
import { type ChangeSignal, createChangeSignal } from '../../http/transport/sse.js';
import { chainName, type Scope } from '../../ledger/audit-store.js';
import { type AuditEventRow, eventsAfter, headQuery } from '../../ledger/read-events.js';
import { type KeptEvents, keepEvents } from './kept-events.js';

/** Events that one read returns at most. */
const MAX_READ = 500;

type ChainDeps = Pick<Deps, 'bus' | 'clock' | 'db' | 'log' | 'timers'>;
type Credential = KeyPrincipal | ConsolePrincipal | DevicePrincipal;

/** However many follow a chain on this node, one read serves them all: it returns the new events, and which credentials are still valid. */
export function createFollowedChains(deps: ChainDeps): FollowedChains {
  const chains = new Map<string, FollowedChain>();
  return {
    follow(scope, credential) {
      const name = chainName(scope);
      const chain = chains.get(name) ?? new FollowedChain(deps, scope);
      chains.set(name, chain);
      const entry = chain.add(credential);
      return {
        changes: entry.changes,
        eventsAfter: (seq) => chain.eventsAfter(entry, seq),
        leave() {
          if (chain.remove(entry)) chains.delete(name);
        },
      };
    },
  };
}

interface Entry {
  readonly credential: Credential;
  /** The same for two requests with the same credential from one address. */
  readonly key: string;
  readonly changes: ChangeSignal;
  readonly unsubscribe: () => void;
  /** Undefined before the first read that checked the credential. */
  isValid?: boolean;
  /** What the last read threw. */
  failure?: unknown;
}

const keyOf = ({ text, values }: Query) => JSON.stringify([text, values]);

class FollowedChain {
  readonly #deps: ChainDeps;
  readonly #scope: Scope;
  readonly #entries = new Set<Entry>();
  readonly #unsubscribe: (() => void)[];
  #kept: KeptEvents | undefined;
  #isReading = false;
  #mayHaveChanged = false;

  constructor(deps: ChainDeps, scope: Scope) {
    this.#deps = deps;
    this.#scope = scope;
    this.#unsubscribe = [
      deps.bus.subscribe('audit_chain', chainName(scope), this.#onChange),
      deps.bus.subscribe('tenant', scope.tenantId, this.#onChange),
    ];
  }

  add(credential: Credential): Entry {
    const { bus, timers } = this.#deps;
    const unsubscribe =
      'keyId' in credential
        ? bus.subscribe('api_key', credential.keyId, this.#onChange)
        : 'device' in credential
          ? bus.subscribe('device', credential.device.id, this.#onChange)
          : () => {};
    const key = keyOf(credential.revalidate(0));
    const entry = { credential, key, changes: createChangeSignal(timers), unsubscribe };
    this.#entries.add(entry);
    if (this.#kept === undefined) this.#onChange();
    return entry;
  }

  /** Whether it was the last. */
  remove(entry: Entry): boolean {
    if (!this.#entries.delete(entry)) return false;
    entry.unsubscribe();
    if (this.#entries.size > 0) return false;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    return true;
  }

  eventsAfter(entry: Entry, seq: number): ReturnType<ChainFollower['eventsAfter']> {
    if (entry.failure !== undefined) throw entry.failure;
    if (entry.isValid === undefined) return undefined;
    return entry.isValid ? this.#kept?.after(seq) : 'ended';
  }

  readonly #onChange = (): void => void this.#read();

  /** Changes during a read cause one more read, whatever their number. */
  async #read(): Promise<void> {
    this.#mayHaveChanged = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#mayHaveChanged && this.#entries.size > 0) {
      this.#mayHaveChanged = false;
      try {
        await this.#readOnce();
      } catch (error) {
        for (const entry of this.#entries) entry.failure = error;
        this.#deps.log.warn({ err: error }, 'streams of events end');
      }
      for (const { changes } of this.#entries) changes.set();
    }
    this.#isReading = false;
  }

  async #readOnce(): Promise<void> {
    const { clock, db } = this.#deps;
    const now = clock.now();
    const checked = [...this.#entries];
    const checks = new Map<string, Query>();
    for (const { key, credential } of checked)
      if (!checks.has(key)) checks.set(key, credential.revalidate(now));
    const from = this.#kept?.head ?? Number.MAX_SAFE_INTEGER;
    const [[head] = [], rows = [], ...found] = await (db.near?.(this.#scope.tenantId) ?? db).read(
      'snapshot',
      [headQuery(this.#scope), eventsAfter(this.#scope, from, MAX_READ), ...checks.values()],
    );
    const valid = new Set([...checks.keys()].filter((_, at) => found[at]?.length));
    for (const entry of checked) entry.isValid = valid.has(entry.key);
    const newest = (head?.seq as number | undefined) ?? 0;
    const events = rows as unknown as AuditEventRow[];
    const isWhole = events.length < MAX_READ;
    if (!isWhole) this.#mayHaveChanged = true;
    this.#kept ??= keepEvents(newest);
    this.#kept.add(events, isWhole ? newest : events.at(-1)!.seq);
  }
}
