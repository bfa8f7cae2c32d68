import type { Clock } from '../base/clock.js';
import type { Keyring } from '../base/crypto/keyring.js';
import type { Row } from '../db/db.js';
import type { Sql } from '../db/sql.js';
import { AUDIT_ACTIONS } from '../model/audit-actions.js';
import { type AuditEvent, type ChainHead, canonicalEvent, linkHash, signHead } from './audit-chain.js';
import { type AuditRow, chainName, insertEvents, readHead, type Scope, updateHeads } from './audit-store.js';
import { recordIdempotency } from './idempotency.js';
import type { AuditEntry, WriteRequest } from './write.js';

export interface ChainDeps {
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly ids: () => string;
  /** Called with how long a transaction waited for its heads. */
  readonly chainWait?: (seconds: number) => void;
  /** Called with 1 when a write begins, and with -1 when it has ended. */
  readonly writing?: (by: 1 | -1) => void;
  /** Called after a commit with each chain that has new events. */
  readonly appended?: (chain: string) => void;
}

/**
 * Appends audit events to the chains of one transaction, which has locked their heads. `lockAgain` reads the head of a chain that
 * the transaction itself created.
 */
export function createChains(deps: ChainDeps, lockAgain: (scope: Scope) => Promise<Row | undefined>) {
  const heads = new Map<string, ChainHead>();
  /** The new rows of each chain. */
  const grown = new Map<string, { readonly scope: Scope; readonly rows: AuditRow[] }>();
  const records: Sql[] = [];

  async function headOf(scope: Scope): Promise<ChainHead> {
    const row = heads.has(chainName(scope)) ? undefined : await lockAgain(scope);
    const head = row ? readHead(row) : heads.get(chainName(scope));
    if (head === undefined) throw new Error('The chain has no head');
    return head;
  }

  function link({ scope, actor, action: usual }: WriteRequest, entry: AuditEntry, prev: ChainHead): AuditRow {
    const action = entry.action ?? usual;
    const event: AuditEvent = {
      id: deps.ids(),
      seq: prev.seq + 1,
      environment: scope.environment,
      actorType: actor.type,
      actorId: actor.id,
      action,
      entityType: entry.entityType,
      entityId: entry.entityId,
      status: entry.status ?? 'success',
      summary: AUDIT_ACTIONS[action],
      createdAt: new Date(Math.max(deps.clock.now(), prev.at)).toISOString(),
      metadata: entry.metadata ?? {},
    };
    const canonical = canonicalEvent(event);
    const hash = linkHash(prev.hash, canonical);
    return { ...event, canonical, prevHash: prev.hash, hash };
  }

  return {
    /** The heads that are held, as rows. */
    begin(held: readonly Row[]): void {
      for (const row of held)
        heads.set(
          chainName({ tenantId: row.tenant_id, environment: row.environment } as Scope),
          readHead(row),
        );
    },
    /** The names of the chains that have new events. */
    grown: (): Iterable<string> => grown.keys(),
    has: (scope: Scope) => heads.has(chainName(scope)),
    /** Links a write's entries, or throws and links none. */
    async append(request: WriteRequest, entries: readonly AuditEntry[]): Promise<void> {
      const { scope, idempotency } = request;
      let head = await headOf(scope);
      const added = entries.map((entry) => {
        const row = link(request, entry, head);
        head = { seq: row.seq, hash: row.hash, at: Date.parse(row.createdAt) };
        return row;
      });
      heads.set(chainName(scope), head);
      const rows = grown.get(chainName(scope))?.rows;
      if (rows) rows.push(...added);
      else grown.set(chainName(scope), { scope, rows: added });
      const recordId = entries[0]?.entityId ?? null;
      if (idempotency) records.push(recordIdempotency(scope, idempotency, recordId, deps.clock.now()));
    },
    /** What makes the links last, the new heads signed. */
    statements(): Sql[] {
      const next = [...grown].map(([name, { scope }]) => {
        const head = heads.get(name) as ChainHead;
        const signature = signHead(deps.keyring.current, scope.tenantId, scope.environment, head);
        return { ...scope, ...head, ...signature };
      });
      return [...records, insertEvents([...grown.values()]), updateHeads(next)];
    },
  };
}
