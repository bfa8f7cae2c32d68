import { mapConcurrently } from '../../../base/concurrency/concurrently.js';
import type { Deps } from '../../../http/deps.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { unaudited } from '../../../ledger/unaudited.js';
import { type Fault, grow, ROWS_AT_ONCE, spanOf } from './growth.js';
import { signTree, verifyTree } from './signature.js';
import * as store from './tree.store.js';

export type SigningDeps = Pick<Deps, 'db' | 'keyring' | 'clock' | 'log'>;

/** Writes of a node at the same time, so that requests have the other connections. */
const WRITES_AT_ONCE = 2;

/**
 * What a step did: the tree covers all rows now or did before (`done`), or it covers more rows than before, by this node or by
 * another (`more`), or its chain is not what was signed (`broken`).
 */
export type Step = 'done' | 'more' | 'broken';

/** A chain that is behind. */
interface Behind {
  readonly scope: Scope;
  readonly state: store.StateRow;
  readonly span: store.Span;
}

/**
 * Adds the next rows of each chain to its tree and signs it. The rows are added in steps, so that a long chain does not hold up the
 * others. Any number of nodes may do this at the same time: one statement decides whose tree replaces the one before. Tiles are
 * written before the tree that needs them, so a process may end anywhere.
 */
export async function signNext(
  deps: SigningDeps,
  scopes: readonly Scope[],
  limit = ROWS_AT_ONCE,
): Promise<Step[]> {
  const states = await store.findStates(deps.db, scopes);
  const steps: Step[] = scopes.map(() => 'done');
  const behind: (Behind & { readonly at: number })[] = [];
  for (const [at, scope] of scopes.entries()) {
    const state = states[at];
    if (state === undefined) continue;
    if (state.head_seq === (state.size ?? 0)) await signAgain(deps, scope, state);
    else if (state.head_seq < (state.size ?? 0)) steps[at] = report(deps, scope, 'chain_cut');
    else behind.push({ at, scope, state, span: spanOf(scope, state, limit) });
  }
  const rows = await store.findRows(
    deps.db,
    behind.map(({ span }) => span),
  );
  await mapConcurrently([...behind.entries()], WRITES_AT_ONCE, async ([index, chain]) => {
    steps[chain.at] = await sign(deps, chain, rows[index] as store.RowHashes);
  });
  return steps;
}

async function sign(deps: SigningDeps, { scope, state, span }: Behind, rows: store.RowHashes): Promise<Step> {
  const grown = grow(scope, state, span, rows);
  if (typeof grown === 'string') return report(deps, scope, grown);
  const w = unaudited(deps.db, 'audit trees');
  for (const tile of grown.tiles) await store.addNodes(w, scope, tile);
  const { edge, hash } = grown;
  // Times never decrease along a chain, nor from tree to tree.
  const at = Math.max(deps.clock.now(), state.last_at.getTime(), state.signed_at?.getTime() ?? 0);
  const head = { size: edge.size, root: edge.root, hash, at };
  const { keyId, signature } = signTree(deps.keyring.current, scope, head);
  const isReplaced = await store.replaceTree(w, scope, state.size ?? 0, {
    ...head,
    edge: edge.subtrees.join(''),
    signed_at: new Date(at),
    key_id: keyId,
    signature,
  });
  return isReplaced && span.to === state.head_seq ? 'done' : 'more';
}

/**
 * Signs a tree of the previous secret with the current one. A tree whose signature does not verify is left as it is, because a new
 * signature would make a forged tree look valid.
 */
async function signAgain({ db, keyring }: SigningDeps, scope: Scope, { size, ...row }: store.StateRow) {
  if (size === null || row.key_id === keyring.current.kid) return;
  const tree = { size, root: row.root, hash: row.hash, at: row.signed_at.getTime() };
  const keys = keyring.find(row.key_id);
  if (keys === undefined || !verifyTree(keys, scope, tree, row.signature)) return;
  const { keyId, signature } = signTree(keyring.current, scope, tree);
  const w = unaudited(db, 'audit trees');
  await store.replaceTree(w, scope, size, { ...row, size, key_id: keyId, signature });
}

function report({ log }: SigningDeps, scope: Scope, reason: Fault): 'broken' {
  log.fatal({ ...scope, reason }, 'an audit chain is not the one of its tree, which gets no more rows');
  return 'broken';
}
