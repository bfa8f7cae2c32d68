import type { Static } from 'typebox';
import { fail, invalid } from '../../../base/errors.js';
import type { Deps } from '../../../http/deps.js';
import type { ConsolePrincipal, KeyPrincipal } from '../../../http/principal.js';
import type { ScopedContext } from '../../../http/route.js';
import { findHead } from '../../../ledger/signed-head.js';
import type { Read } from '../../../ledger/write.js';
import { checkpointKey, checkpointOf } from './checkpoint.js';
import { awaitTree, consistencyOf, proofOf, readTree, type SignedTree } from './tree.js';
import type { ConsistencyQuery, ProofQuery } from './tree.schema.js';

type Context = Pick<ScopedContext, 'read' | 'scope'> & {
  readonly deps: Deps;
  readonly principal: Pick<KeyPrincipal | ConsolePrincipal, 'tenant'>;
};

const allowsCheckpoints = ({ principal }: Context): boolean =>
  principal.tenant.securityPolicy.audit_checkpoint === true;

/** The newest signed tree. 400 about the field if it does not cover that many rows. */
async function requireTree({ deps, read, scope }: Context, rows: number, field: string): Promise<SignedTree> {
  const tree = await awaitTree(deps, scope, rows);
  if (tree !== null) return tree;
  const newest = await readTree(read);
  return invalid(field, `is larger than the signed tree, which has ${newest?.size ?? 0} entries`);
}

/** What verifies the tree. */
const keysOf = (context: Context, { keyId }: SignedTree) => ({
  publicKey: context.deps.keyring.find(keyId)?.signing.publicHex ?? null,
  checkpointKey: allowsCheckpoints(context) ? checkpointKey(context.deps, context.scope) : null,
});

async function newestOf(read: Read): Promise<number> {
  const head = await findHead(read);
  if (head === undefined || head.seq === 0)
    return fail('not_found', { message: 'This audit chain has no entry yet.' });
  return head.seq;
}

export async function proveEntry(context: Context & { readonly query: Static<typeof ProofQuery> }) {
  const { read, scope, query } = context;
  const seq = query.seq ?? query.size ?? (await newestOf(read));
  if (query.size !== undefined && seq > query.size) invalid('query.seq', 'is larger than size');
  const tree = await requireTree(context, query.size ?? seq, query.size ? 'query.size' : 'query.seq');
  const size = query.size ?? tree.size;
  return { ...scope, seq, size, ...(await proofOf(read, seq, size)), tree, ...keysOf(context, tree) };
}

export async function proveGrowth(context: Context & { readonly query: Static<typeof ConsistencyQuery> }) {
  const { read, scope, query } = context;
  const { from } = query;
  if (query.to !== undefined && from > query.to) invalid('query.from', 'is larger than to');
  const tree = await requireTree(context, query.to ?? from, query.to ? 'query.to' : 'query.from');
  const to = query.to ?? tree.size;
  const consistency = await consistencyOf(read, from, to);
  return { ...scope, from, to, consistency, tree, ...keysOf(context, tree) };
}

/** The newest signed tree as a checkpoint. */
export async function readCheckpoint(context: Context): Promise<string> {
  const { deps, scope } = context;
  if (!allowsCheckpoints(context)) fail('endpoint_disabled');
  const tree = await awaitTree(deps, scope, 1);
  if (tree === null) fail('not_found', { message: 'This audit chain has no signed tree yet.' });
  return checkpointOf(deps, scope, tree);
}
