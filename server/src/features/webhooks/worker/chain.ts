import type { Database } from '../../../db/db.js';
import type { ChangeSignal } from '../../../http/transport/sse.js';
import { genesisHash } from '../../../ledger/audit-chain.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { type AuditEventRow, type EventFilter, listEventsBetween } from '../../../ledger/read-events.js';
import { reader } from '../../../ledger/write.js';
import { headWithVersions } from './deliveries.store.js';
import type { Position } from './message.js';
import type { Page, Subscription } from './plan.js';

/** Selected events that are read together. */
export const MAX_EVENTS = 64;
/** Events that one query examines. */
export const MAX_EXAMINED = 10_000;
/** Parts of the chain in memory. Webhooks that have come equally far read the same one. */
const MAX_PARTS = 4;

interface Head extends Position {
  /** The version of each active webhook of the chain. A webhook that is missing is not active any more. */
  readonly versions: Readonly<Record<string, number>>;
}

/** Events of a chain, beginning with the one at a position. */
interface Part {
  readonly head: Head;
  /** The types that were read. Undefined: all. */
  readonly types: EventFilter['types'];
  readonly rows: readonly AuditEventRow[];
}

/** A chain with active webhooks, and what was read of it since it last changed. */
export interface Chain {
  readonly db: Database;
  readonly scope: Scope;
  /** The webhooks of this chain that this node serves. */
  readonly served: Map<string, { readonly changes: ChangeSignal; readonly subscription: Subscription }>;
  head: Promise<Head> | undefined;
  parts: Map<number, Promise<Part>>;
  /** How many active webhooks it has. */
  webhooks: number;
  wakes: number;
  wokenAt: number;
  /** A wake that waits, because the last one was a moment ago. */
  cancelWake: (() => void) | undefined;
  /** When a webhook last selected an event. */
  foundAt: number;
  claimedNoneAt: number;
  /** `again`: another claim was asked for while it runs. */
  claiming: 'no' | 'once' | 'again';
}

export const createChain = (db: Database, scope: Scope): Chain => ({
  db,
  scope,
  served: new Map(),
  head: undefined,
  parts: new Map(),
  webhooks: 0,
  wakes: 0,
  wokenAt: Number.NEGATIVE_INFINITY,
  cancelWake: undefined,
  foundAt: Number.NEGATIVE_INFINITY,
  claimedNoneAt: Number.NEGATIVE_INFINITY,
  claiming: 'no',
});

/** Call when the chain may have changed. */
export function forget(chain: Chain): void {
  chain.head = undefined;
  chain.parts = new Map();
}

/** Webhooks that ask before the next change share the answer. */
export function readHead(chain: Chain): Promise<Head> {
  if (chain.head === undefined) {
    const reading = queryHead(chain);
    chain.head = reading;
    reading.catch(() => {
      if (chain.head === reading) chain.head = undefined;
    });
  }
  return chain.head;
}

async function queryHead({ db, scope }: Chain): Promise<Head> {
  const [row] = await reader(db, scope).query<Position & { versions: Head['versions'] | null }>(
    headWithVersions(scope),
  );
  if (row === undefined) throw new Error('The chain has no head');
  return { ...row, versions: row.versions ?? {} };
}

/**
 * The next events after a position that some webhook of this node selects. Undefined if the chain is another one than the one that
 * contained the position: the database was restored.
 */
export async function readPage(
  chain: Chain,
  after: Position,
  types: Part['types'],
): Promise<Page | undefined> {
  const { head, rows } = await readPart(chain, after.seq, types);
  if (!isLinked(chain.scope, after, head, rows)) return undefined;
  const { seq, hash } = rows.at(-1) ?? after;
  return { rows, until: { seq, hash }, isAtHead: seq === head.seq };
}

/** Reads the next part while this one is sent, so that it is there when it is needed. */
export function readAhead(chain: Chain, { seq }: Position, types: Part['types']): void {
  readPart(chain, seq, types).catch(() => {});
}

async function readPart(chain: Chain, from: number, types: Part['types']): Promise<Part> {
  const found = chain.parts.get(from);
  if (found && includes((await found).types, types)) return found;
  const part = queryPart(chain, from);
  const { parts } = chain;
  parts.set(from, part);
  part.catch(() => parts.delete(from));
  if (parts.size > MAX_PARTS) parts.delete(parts.keys().next().value as number);
  return part;
}

const includes = (all: Part['types'], types: Part['types']): boolean =>
  all === undefined || (types !== undefined && [...types].every((type) => all.has(type)));

async function queryPart(chain: Chain, from: number): Promise<Part> {
  const types = typesOf(chain);
  const head = await readHead(chain);
  if (head.seq <= from) return { head, types, rows: [] };
  const to = Math.min(head.seq, from + MAX_EXAMINED);
  const rows = await listEventsBetween(reader(chain.db, chain.scope), { from, to }, types, MAX_EVENTS + 1);
  return { head, types, rows };
}

/** The types that some webhook of this node selects. */
function typesOf({ served }: Chain): Part['types'] {
  const all = new Set<string>();
  for (const { subscription } of served.values()) {
    if (subscription.filter.types === undefined) return undefined;
    for (const type of subscription.filter.types) all.add(type);
  }
  return all;
}

/** The event at the position still has its hash, and each event is linked to the one before it, unless that was left out. */
export function isLinked(
  { tenantId, environment }: Scope,
  after: Position,
  head: Position,
  rows: readonly Pick<AuditEventRow, 'seq' | 'hash' | 'prev_hash'>[],
): boolean {
  if (head.seq < after.seq) return false;
  const stored = after.seq === 0 ? genesisHash(tenantId, environment) : hashAt(after.seq, head, rows);
  if (stored !== after.hash) return false;
  return rows.every((event, at) => {
    const before = rows[at - 1] ?? after;
    return event.seq !== before.seq + 1 || event.prev_hash === before.hash;
  });
}

const hashAt = (seq: number, head: Position, rows: readonly Position[]) =>
  head.seq === seq ? head.hash : rows.find((event) => event.seq === seq)?.hash;
