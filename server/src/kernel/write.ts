import { AUDIT_ACTIONS, type AuditAction } from '../model/audit-actions.js';
import {
  type AuditEvent,
  type AuditMetadata,
  type AuditStatus,
  type ChainHead,
  canonicalJson,
  linkHash,
  signHead,
} from './audit-chain.js';
import { type AuditRow, insertEvents, lockHead, readHead, type Scope, updateHead } from './audit-store.js';
import type { Clock } from './clock.js';
import type { Database, Row, Transaction } from './db/db.js';
import { type Sql, sql } from './db/sql.js';
import { type Idempotency, recordIdempotency, reserveIdempotency } from './idempotency.js';
import type { Keyring } from './keyring.js';

/** Who acts. */
export interface Actor {
  readonly type: 'api_key' | 'console' | 'phone' | 'system';
  readonly id: string | null;
}

export interface AuditEntry {
  readonly entityType: string;
  readonly entityId: string | null;
  /** `success` unless told. */
  readonly status?: AuditStatus;
  readonly metadata?: AuditMetadata;
  /** Another action than the write's own, when one write does several things. */
  readonly action?: AuditAction;
}

/** Reading within one tenant and environment. */
export interface Read {
  readonly scope: Scope;
  query<R extends object = Row>(statement: Sql): Promise<R[]>;
}

declare const writable: unique symbol;

/** Changing rows: only `write` makes one, so an unscoped or unaudited write does not compile. */
export interface Write extends Read {
  /**
   * Says what is being done. Call it before the last statements, with a function where the entry depends on their
   * result: the chain's head is then locked in the same round trip, and the write costs two.
   */
  audit(entry: AuditEntry | (() => AuditEntry)): void;
  readonly [writable]: true;
}

declare const unchained: unique symbol;

/**
 * Changing rows that belong to no tenant and so have no chain to be audited in. Leads alone do, and they are personal
 * data of people who have no account: no chain may name them. server/test/leads.test.ts lists who uses this; everything
 * of a tenant goes through `write`.
 */
export interface UnchainedWrite {
  query<R extends object = Row>(statement: Sql): Promise<R[]>;
  readonly [unchained]: true;
}

export const unchainedWriter = (db: Database): UnchainedWrite =>
  ({ query: (statement: Sql) => db.query(statement) }) as unknown as UnchainedWrite;

export interface WriteDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly ids: () => string;
}

export interface WriteRequest {
  readonly scope: Scope;
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly idempotency?: Idempotency | undefined;
  /** The caller's credential, judged again in this very transaction: revoked meanwhile, it writes nothing. */
  readonly credential?: { readonly stillGood: Sql; readonly refuse: () => never } | undefined;
}

interface Pending {
  readonly statement: Sql;
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Statements asked for in the same turn of the event loop leave together, in the order of the calls. After `end` none
 * is taken, and none is on its way: a late one would run on a connection that is somebody else's by then.
 */
function createBatcher(tx: Transaction, before: () => Sql | undefined, onHead: (rows: Row[]) => void) {
  let waiting: Pending[] = [];
  let sent: Promise<unknown> = Promise.resolve();
  let ended = false;
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    const lock = before();
    try {
      const results = await tx.send([...batch.map((item) => item.statement), ...(lock ? [lock] : [])]);
      if (lock) onHead(results.pop() as Row[]);
      for (const [index, item] of batch.entries()) item.resolve(results[index] as Row[]);
    } catch (error) {
      for (const item of batch) item.reject(error);
    }
  };
  return {
    query(statement: Sql) {
      const rows = new Promise<Row[]>((resolve, reject) => {
        if (ended) return reject(new Error('This write has ended'));
        waiting.push({ statement, resolve, reject });
        if (waiting.length === 1) sent = Promise.all([sent, Promise.resolve().then(flush)]);
      });
      // One failure rejects its whole batch, and the work may await only one of them.
      rows.catch(() => {});
      return rows;
    },
    async end() {
      ended = true;
      await sent;
    },
  };
}

/**
 * The only way to a writable transaction: the rows, their audit events, the idempotency record and the chain's new
 * signed head commit together or not at all. It refuses to commit what has no audit entry.
 */
export async function write<T>(
  deps: WriteDeps,
  request: WriteRequest,
  work: (w: Write) => Promise<T>,
): Promise<T> {
  const { scope, idempotency } = request;
  const tx = await deps.db.begin();
  const entries: (AuditEntry | (() => AuditEntry))[] = [];
  let head: ChainHead | undefined;
  const onHead = ([row]: Row[]) => {
    if (row === undefined) throw new Error('The chain has no head');
    head = readHead(row);
  };
  const batcher = createBatcher(
    tx,
    () => (head === undefined && entries.length > 0 ? lockHead(scope) : undefined),
    onHead,
  );
  const w = {
    scope,
    query: batcher.query,
    audit: (entry: AuditEntry | (() => AuditEntry)) => void entries.push(entry),
  } as unknown as Write;

  try {
    if (idempotency) await reserveIdempotency(tx, scope, idempotency, deps.clock.now());
    const credential = request.credential && batcher.query(request.credential.stillGood);
    const result = await work(w);
    if ((await credential)?.length === 0) request.credential?.refuse();
    await batcher.end();
    if (entries.length === 0) throw new Error(`${request.action} has no audit entry`);
    if (head === undefined) onHead((await tx.send([lockHead(scope)]))[0] as Row[]);
    const done = entries.map((entry) => (typeof entry === 'function' ? entry() : entry));
    const rows = appendEvents(deps, request, head as unknown as ChainHead, done);
    const last = rows.at(-1) as AuditRow;
    const next = { seq: last.seq, hash: last.hash, at: Date.parse(last.createdAt) };
    const signature = signHead(deps.keyring.current, scope.tenantId, scope.environment, next);
    await tx.commit([
      ...(idempotency
        ? [recordIdempotency(scope, idempotency, done[0]?.entityId ?? null, deps.clock.now())]
        : []),
      insertEvents(scope, rows),
      updateHead(scope, next, signature),
    ]);
    return result;
  } catch (error) {
    await batcher.end();
    await tx.rollback();
    throw error;
  }
}

function appendEvents(
  deps: WriteDeps,
  request: WriteRequest,
  head: ChainHead,
  entries: AuditEntry[],
): AuditRow[] {
  const createdAt = new Date(Math.max(deps.clock.now(), head.at)).toISOString();
  let prevHash = head.hash;
  return entries.map((entry, index) => {
    const action = entry.action ?? request.action;
    const event: AuditEvent = {
      id: deps.ids(),
      seq: head.seq + index + 1,
      environment: request.scope.environment,
      actorType: request.actor.type,
      actorId: request.actor.id,
      action,
      entityType: entry.entityType,
      entityId: entry.entityId,
      status: entry.status ?? 'success',
      summary: AUDIT_ACTIONS[action],
      createdAt,
      metadata: entry.metadata ?? {},
    };
    const canonical = canonicalJson(event);
    const row = { ...event, canonical, prevHash, hash: linkHash(prevHash, canonical) };
    prevHash = row.hash;
    return row;
  });
}

export function reader(db: Database, scope: Scope): Read {
  return { scope, query: (statement) => db.query(statement) };
}

/** The condition that every statement on a tenant's rows carries. */
export function within({ tenantId, environment }: Scope, alias?: 't'): Sql {
  return alias
    ? sql`t.tenant_id = ${tenantId} and t.environment = ${environment}`
    : sql`tenant_id = ${tenantId} and environment = ${environment}`;
}
