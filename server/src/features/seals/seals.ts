import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import { listEventsAt } from '../../ledger/read-events.js';
import type { Read } from '../../ledger/write.js';
import type { ErrorCode } from '../../model/errors.js';
import { placeOnPage } from '../../records/seals/sealed-pages.js';
import { findSealed, type SealedRecord, type SealedTable } from '../../records/seals/sealed-rows.js';
import { awaitTree, consistencyOf, inclusionOf, serializeEvent } from '../audit/audit.js';
import type { ProofQuery } from './seals.schema.js';

type Context = Pick<ScopedContext, 'read' | 'scope'> & {
  readonly deps: Deps;
  readonly query: Static<typeof ProofQuery>;
};

/** A record with the entry that sealed it as it is now, or else the newest, and the proof that the entry is in the signed tree. */
export async function proveRecord(context: Context, table: SealedTable, id: string, missing: ErrorCode) {
  const { read, scope } = context;
  const { sealSeq, root, record, n, ...parts } = (await findSealed(read, table, id)) ?? fail(missing);
  const row = sealSeq === null ? undefined : (await listEventsAt(read, [sealSeq])).get(sealSeq);
  const sealedLater = root && (await placeOnPage(read, table.kind, root, id));
  return {
    kind: table.kind,
    tenantId: scope.tenantId,
    ...{ record: shown(record), n },
    ...wellFormed(parts),
    entry: row ? serializeEvent(row) : null,
    ...(sealedLater && { sealedLater }),
    ...(await placeOf(context, read, sealSeq)),
  };
}

/** Whether a record can have that value: `metadata` is an object or null, and nothing else is a list or a number without end. */
const canHave = ([name, value]: [string, unknown]): boolean => {
  const isObject = typeof value === 'object' && !Array.isArray(value);
  if (name === 'metadata') return isObject;
  return typeof value === 'number' ? Number.isFinite(value) : isObject || typeof value !== 'object';
};

const shown = (record: Readonly<Record<string, unknown>>) =>
  Object.entries(record).every(canHave) ? record : { id: record.id };

const SALT = /^[0-9a-f]{32}$/;
const HASH = /^[0-9a-f]{64}$/;

/** A salt or hash that somebody has set to anything else counts as gone, which the check of the proof reports. */
function wellFormed({ salts, T }: Pick<SealedRecord, 'salts' | 'T'>) {
  const salt = (text: string | null) => (text !== null && SALT.test(text) ? text : null);
  return {
    salts: salts && { facts: salt(salts.facts), text: salt(salts.text) },
    ...(T !== undefined && HASH.test(T) && { T }),
  };
}

/** Where an entry is in the tree. Without an entry, and if its tree is not signed in time, nowhere. */
async function placeOf({ deps, scope, query: { from } }: Context, read: Read, seq: number | null) {
  const tree = seq === null ? null : await awaitTree(deps, scope, seq);
  if (seq === null || tree === null) return { inclusion: null, tree: null, publicKey: null };
  if (from !== undefined && from > tree.size)
    invalid('query.from', `is larger than the signed tree, which has ${tree.size} entries`);
  const consistency = from !== undefined && { from, proof: await consistencyOf(read, from, tree.size) };
  return {
    inclusion: await inclusionOf(read, seq, tree.size),
    tree,
    publicKey: deps.keyring.find(tree.keyId)?.signing.publicHex ?? null,
    ...(consistency && { consistency }),
  };
}

export { sealLater } from './later.js';
export { sealChains } from './sealed-chains.js';
export { Salts } from './seals.schema.js';
