import type { Clock } from '../base/clock.js';
import type { Keyring } from '../base/keyring.js';
import type { Row } from '../db/db.js';
import type { Sql } from '../db/sql.js';
import { AUDIT_ACTIONS } from '../model/audit-actions.js';
import { type AuditEvent, type ChainHead, canonicalJson, linkHash, signHead } from './audit-chain.js';
import { type AuditRow, insertEvents, readHead, type Scope, updateHead } from './audit-store.js';
import { recordIdempotency } from './idempotency.js';
import type { AuditEntry, WriteRequest } from './write.js';

export interface AppendDeps {
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly ids: () => string;
  /** Called with how long a transaction waited for its head. */
  readonly chainWait?: (seconds: number) => void;
}

/**
 * The events that one transaction appends to a chain. `findHead` returns the locked head of a chain that the transaction
 * itself created.
 */
export function createAppender(deps: AppendDeps, scope: Scope, findHead: () => Promise<Row | undefined>) {
  let head: ChainHead | undefined;
  const rows: AuditRow[] = [];
  const records: Sql[] = [];

  function link({ actor, action: usual }: WriteRequest, entry: AuditEntry, prev: ChainHead): AuditRow {
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
    const canonical = canonicalJson(event);
    const hash = linkHash(prev.hash, canonical);
    return { ...event, tenantId: scope.tenantId, canonical, prevHash: prev.hash, hash };
  }

  return {
    /** The locked head; undefined for a chain that does not exist yet. */
    start(locked: Row | undefined): void {
      if (locked) head = readHead(locked);
    },
    /** Links all entries of a write, or throws and links none. */
    async append(request: WriteRequest, entries: readonly AuditEntry[]): Promise<void> {
      if (head === undefined) {
        const row = await findHead();
        if (row === undefined) throw new Error('The chain has no head');
        head = readHead(row);
      }
      let next = head;
      const added = entries.map((entry) => {
        const row = link(request, entry, next);
        next = { seq: row.seq, hash: row.hash, at: Date.parse(row.createdAt) };
        return row;
      });
      head = next;
      rows.push(...added);
      const recordId = entries[0]?.entityId ?? null;
      const { idempotency } = request;
      if (idempotency) records.push(recordIdempotency(scope, idempotency, recordId, deps.clock.now()));
    },
    /** The statements that store the events and the signed head. */
    statements(): Sql[] {
      const next = head as ChainHead;
      const signature = signHead(deps.keyring.current, scope.tenantId, scope.environment, next);
      return [...records, insertEvents(rows), updateHead({ ...scope, ...next, ...signature })];
    },
  };
}
