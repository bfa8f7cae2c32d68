import {
  canonicalJson,
  genesisHash,
  LINK_SEPARATOR,
  linkHash,
  verifyHead,
} from '../../kernel/audit-chain.js';
import type { Scope } from '../../kernel/audit-store.js';
import { DatabaseUnavailableError } from '../../kernel/db/db.js';
import type { Deps } from '../../kernel/deps.js';
import type { Environment } from '../../model/environment.js';
import * as store from './audit.store.js';
import { createLinkFollower, type LinkFollower } from './link-follower.js';

const ROWS_AT_ONCE = 2_000;
const CHAINS_AT_ONCE = 500;

type Broken = { readonly reason: string; readonly brokenRowId?: string };

type WalkDeps = Pick<Deps, 'db' | 'keyring'> & Pick<LinkFollower, 'follow'>;

export interface ChainVerdict {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly length: number;
  readonly headHash: string | null;
  readonly fromSeq: number;
  readonly status: 'pass' | 'fail';
  readonly brokenRowId?: string;
  readonly reason?: string;
}

export interface IntegrityFilter {
  readonly tenantId?: string | undefined;
  readonly environment?: Environment | undefined;
  /** Only the newest rows of each chain. */
  readonly limit?: number | undefined;
}

/** Recomputes the chains, a page at a time and without a lock: rows up to a head that is committed never change. */
export async function checkIntegrity(deps: Pick<Deps, 'db' | 'keyring'>, filter: IntegrityFilter) {
  const follower = createLinkFollower();
  try {
    return await checkChains({ ...deps, follow: follower.follow }, filter);
  } finally {
    await follower.close();
  }
}

async function checkChains(deps: WalkDeps, filter: IntegrityFilter) {
  const chains: ChainVerdict[] = [];
  let checked = 0;
  let after: { tenantId: string; environment: string } | undefined;
  for (;;) {
    const found = await store.listChains(deps.db, filter, after, CHAINS_AT_ONCE);
    for (const chain of found) {
      const { verdict, rows } = await checkChain(deps, chain, filter.limit);
      chains.push(verdict);
      checked += rows;
    }
    const last = found.at(-1);
    if (last === undefined || found.length < CHAINS_AT_ONCE) break;
    after = { tenantId: last.tenant_id, environment: last.environment };
  }
  const broken = chains.find((chain) => chain.status === 'fail');
  return {
    status: broken ? ('fail' as const) : ('pass' as const),
    checked,
    partial: chains.some((chain) => chain.fromSeq > 1),
    chains,
    ...(broken?.brokenRowId && { brokenRowId: broken.brokenRowId }),
  };
}

async function checkChain(deps: WalkDeps, chain: store.ChainRow, limit: number | undefined) {
  const scope: Scope = { tenantId: chain.tenant_id, environment: chain.environment };
  const length = chain.seq ?? 0;
  const fromSeq = limit === undefined ? 1 : Math.max(1, length - limit + 1);
  const { broken, rows } = await walk(deps, scope, chain, fromSeq);
  const verdict: ChainVerdict = {
    ...scope,
    length,
    headHash: chain.hash,
    fromSeq,
    status: broken ? 'fail' : 'pass',
    ...broken,
  };
  return { verdict, rows };
}

async function walk(deps: WalkDeps, scope: Scope, chain: store.ChainRow, fromSeq: number) {
  if (chain.seq === null) return { rows: 0, broken: { reason: 'head_missing' } };
  if (chain.first_seq !== null && chain.first_seq < 1)
    return { rows: 0, broken: { reason: 'row_before_first', brokenRowId: chain.first_id as string } };
  const link = {
    hash: genesisHash(scope.tenantId, scope.environment),
    seq: fromSeq - 1,
    at: 0,
    started: fromSeq === 1,
  };
  let rows = 0;
  let lastId: string | undefined;
  const judge = (from: number, hash: string, at: number) =>
    judgePage(deps.db, scope, { from, to: pageEnd(from), hash, at });
  const last = chain.seq;
  const pageEnd = (from: number) => Math.min(last, from + ROWS_AT_ONCE - 1);
  let ahead: ReturnType<typeof judge> | undefined;
  for (let from = fromSeq; from <= last; from = pageEnd(from) + 1) {
    const to = pageEnd(from);
    const page = link.started ? await (ahead ?? judge(from, link.hash, link.at)) : undefined;
    // The next page is read while this one's hashes are followed: it begins with the hash that this one claims to end with.
    ahead = page && to < last ? judge(to + 1, lastClaim(page.links), page.lastAt.getTime()) : undefined;
    ahead?.catch(() => {});
    const hash = page && (await deps.follow(link.hash, page.links));
    if (page && hash !== undefined) {
      Object.assign(link, { hash, seq: to, at: page.lastAt.getTime() });
      lastId = page.lastId;
      rows += to - from + 1;
      continue;
    }
    ahead = undefined;
    for (const row of await store.listChain(deps.db, scope, from, to)) {
      const reason = checkRow(row, link);
      if (reason !== undefined) return { rows, broken: { reason, brokenRowId: row.id } };
      Object.assign(link, { hash: row.hash, seq: row.seq, at: row.created_at.getTime(), started: true });
      lastId = row.id;
      rows += 1;
    }
  }
  return { rows, broken: checkHead(deps, scope, chain, link, lastId) };
}

/** The quick way over a page in which nothing is wrong; undefined when its rows have to be looked at one by one. */
async function judgePage(db: Deps['db'], scope: Scope, page: store.PageOfChain) {
  try {
    const segment = await store.judgeSegment(db, scope, page);
    return segment?.isSound ? segment : undefined;
  } catch (error) {
    // A text that is no JSON. An unavailable database is told by the next question, too.
    if (error instanceof DatabaseUnavailableError) throw error;
    return undefined;
  }
}

const lastClaim = (links: string) => links.slice(links.lastIndexOf(LINK_SEPARATOR) + 1).slice(0, 64);

interface Link {
  readonly hash: string;
  readonly seq: number;
  readonly at: number;
  /** False before the first row of a partial check, whose predecessor is not read. */
  readonly started: boolean;
}

/** False also for columns that no event of ours could have: they were altered like any others. */
function matchesColumns(row: store.AuditEventRow): boolean {
  try {
    return canonicalJson(store.toEvent(row)) === row.canonical;
  } catch {
    return false;
  }
}

function checkRow(row: store.AuditEventRow, link: Link): string | undefined {
  if (row.seq !== link.seq + 1) return 'row_missing';
  if (link.started && row.prev_hash !== link.hash) return 'link_broken';
  if (!matchesColumns(row)) return 'columns_altered';
  if (linkHash(row.prev_hash, row.canonical) !== row.hash) return 'hash_wrong';
  if (row.created_at.getTime() < link.at) return 'time_decreases';
  return undefined;
}

function checkHead(
  { keyring }: Pick<Deps, 'keyring'>,
  scope: Scope,
  chain: store.ChainRow,
  link: Link,
  lastId: string | undefined,
): Broken | undefined {
  const at = (reason: string): Broken => ({ reason, ...(lastId && { brokenRowId: lastId }) });
  const head = { seq: chain.seq as number, hash: chain.hash, at: chain.last_at.getTime() };
  if (link.seq !== head.seq) return at('tail_missing');
  if (chain.last_seq !== null && chain.last_seq > head.seq) {
    return { reason: 'rows_after_head', ...(chain.last_id && { brokenRowId: chain.last_id }) };
  }
  if ((link.started && link.hash !== head.hash) || (head.seq > 0 && link.at !== head.at))
    return at('head_differs');
  const keys = keyring.find(chain.key_id);
  if (keys === undefined) return at('head_key_unknown');
  return verifyHead(keys, scope.tenantId, scope.environment, head, chain.signature)
    ? undefined
    : at('head_signature');
}
