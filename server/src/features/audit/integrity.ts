import type { SealedKind } from '@svc/zk/records/kinds';
import { mapConcurrently } from '../../base/concurrency/concurrently.js';
import type { Deps } from '../../http/deps.js';
import { genesisHash, verifyHead } from '../../ledger/audit-chain.js';
import { chainName, type Scope } from '../../ledger/audit-store.js';
import type { History } from '../../ledger/replica/history.js';
import { type Read, reader } from '../../ledger/write.js';
import { ENVIRONMENTS, type Environment } from '../../model/environment.js';
import { type AnchoredHead, checkAnchors } from '../anchors/anchors.js';
import { LeafCheck } from '../identities/identities.js';
import * as store from './audit.store.js';
import type { Broken, Link } from './check-rows.js';
import { RecordCheck } from './records/record-check.js';
import { createRowChecker, type RowChecker } from './row-checker.js';
import { faultOf } from './tree/check.js';

const MAX_PAGE_SIZE = 2_000;
const TENANTS_AT_ONCE = 500;
/** The heads of a group are read in one round trip. */
const GROUP_SIZE = 25;
/** Groups are checked at the same time to save the time of round trips, but leave connections for requests. */
const GROUPS_AT_ONCE = 4;

type IntegrityDeps = Pick<Deps, 'db' | 'keyring' | 'anchoring' | 'history' | 'random'>;
type WalkDeps = IntegrityDeps &
  Pick<RowChecker, 'check'> & { readonly evidence: Awaited<ReturnType<History['evidence']>> };

export interface ChainVerdict {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly length: number;
  readonly headHash: string | null;
  readonly fromSeq: number;
  readonly status: 'pass' | 'fail';
  readonly brokenRowId?: string;
  readonly reason?: string;
  /** The identity that is not what the chain says of it, if it is known. */
  readonly identityId?: string;
  /** The record that is not what the chain says of it. */
  readonly recordKind?: SealedKind;
  readonly recordId?: string;
}

export interface IntegrityFilter {
  readonly tenantId?: string | undefined;
  readonly environment?: Environment | undefined;
  /** Checks only the newest rows of each audit chain. */
  readonly limit?: number | undefined;
}

/** Recomputes the audit chains, a page at a time and without a lock, because rows up to a committed head never change. */
export async function checkIntegrity(deps: IntegrityDeps, filter: IntegrityFilter) {
  const checker = createRowChecker();
  try {
    const evidence = await deps.history.evidence();
    return await checkChains({ ...deps, check: checker.check, evidence }, filter);
  } finally {
    await checker.close();
  }
}

async function checkChains(deps: WalkDeps, filter: IntegrityFilter) {
  const anchors = await checkAnchors(deps, filter.limit !== undefined);
  const headOf = new Map(
    anchors.heads.map((head) => [chainName({ ...head, tenantId: head.tenant_id }), head]),
  );
  const chains: ChainVerdict[] = [];
  let checked = 0;
  let after: string | undefined;
  for (;;) {
    const tenants = await store.listTenantIds(deps.db, filter.tenantId, after, TENANTS_AT_ONCE);
    const scopes = listScopes(tenants, filter.environment);
    const groups = scopes.flatMap((_, at) =>
      at % GROUP_SIZE === 0 ? [scopes.slice(at, at + GROUP_SIZE)] : [],
    );
    const found = await mapConcurrently(groups, GROUPS_AT_ONCE, async (group) => {
      const rows = await store.findChains(deps.db, group);
      const results: Awaited<ReturnType<typeof checkChain>>[] = [];
      for (const [at, scope] of group.entries())
        results.push(await checkChain(deps, scope, rows[at], headOf.get(chainName(scope)), filter.limit));
      return results;
    });
    for (const { verdict, rows } of found.flat()) {
      chains.push(verdict);
      checked += rows;
    }
    after = tenants.at(-1);
    if (tenants.length < TENANTS_AT_ONCE) break;
  }
  const broken = chains.find((chain) => chain.status === 'fail');
  return {
    status: broken || anchors.verdict?.status === 'fail' ? ('fail' as const) : ('pass' as const),
    checked,
    partial: chains.some((chain) => chain.fromSeq > 1),
    chains,
    ...(broken?.brokenRowId && { brokenRowId: broken.brokenRowId }),
    ...(anchors.verdict && { anchors: anchors.verdict }),
  };
}

/** Every account has both, so a chain without a head was removed. */
const listScopes = (tenants: readonly string[], environment: Environment | undefined): Scope[] =>
  tenants.flatMap((tenantId) =>
    (environment ? [environment] : ENVIRONMENTS).map((each) => ({ tenantId, environment: each })),
  );

async function checkChain(
  deps: WalkDeps,
  scope: Scope,
  chain: store.ChainRow | undefined,
  anchored: AnchoredHead | undefined,
  limit: number | undefined,
) {
  if (chain === undefined) {
    const lost = { length: 0, headHash: null, fromSeq: 1, status: 'fail', reason: 'head_missing' } as const;
    return { verdict: { ...scope, ...lost }, rows: 0 };
  }
  const fromSeq = limit === undefined ? 1 : Math.max(1, chain.seq - limit + 1);
  const evidence = deps.evidence(scope, { seq: chain.seq, hash: chain.hash });
  const part = { fromSeq, isWhole: limit === undefined };
  // The identities and records of a closed account are deleted. That it was closed stands in its chain.
  const isClosed =
    chain.is_closed && (await store.wasClosed(reader(deps.db, { ...scope, environment: 'live' })));
  const compared = isClosed
    ? {}
    : {
        identities: new LeafCheck(deps, scope, chain),
        records: new RecordCheck({ evidence, primary: reader(deps.db, scope), to: chain.seq, ...part }),
      };
  const { broken, rows } = await walk({ ...deps, ...compared, evidence }, scope, chain, part);
  const walked: ChainVerdict = {
    ...scope,
    length: chain.seq,
    headHash: chain.hash,
    fromSeq,
    status: broken ? 'fail' : 'pass',
    ...broken,
  };
  const judged = judgeByTree(deps, judgeByAnchor(walked, chain, anchored), chain);
  const named = await judgeByRecords(deps, judged, chain);
  if (named.status === 'fail') return { verdict: named, rows };
  const unequal = await compared.records?.finish();
  const verdict: ChainVerdict = unequal ? { ...named, status: 'fail', ...unequal } : named;
  return { verdict, rows };
}

/** A chain may have been replaced up to its head, and not its tree, or the other way round. */
function judgeByTree(
  { keyring }: WalkDeps,
  verdict: ChainVerdict,
  { tree, last_id }: store.ChainRow,
): ChainVerdict {
  const reason =
    verdict.status === 'pass' && tree ? faultOf(keyring, verdict, tree, tree.row_hash) : undefined;
  if (reason === undefined) return verdict;
  return { ...verdict, status: 'fail', reason, ...(last_id && { brokenRowId: last_id }) };
}

/**
 * If an audit chain was restored to an older state together with its signed head, all other checks pass. But records that
 * were written later are newer than the head, and the chain has no events of them.
 */
async function judgeByRecords(
  { db }: WalkDeps,
  verdict: ChainVerdict,
  { newest_records, last_id }: store.ChainRow,
): Promise<ChainVerdict> {
  if (verdict.status === 'fail') return verdict;
  const read = reader(db, verdict);
  for (const names of newest_records)
    if (!(await store.namesRecord(read, names)))
      return {
        ...verdict,
        status: 'fail',
        reason: 'record_unaudited',
        ...(last_id && { brokenRowId: last_id }),
      };
  return verdict;
}

/** A consistent audit chain may still differ from the anchored one: cut off, or rewritten by a party that has the keys. */
function judgeByAnchor(
  verdict: ChainVerdict,
  { last_id }: store.ChainRow,
  anchored: AnchoredHead | undefined,
): ChainVerdict {
  if (anchored === undefined || verdict.status === 'fail' || anchored.row_hash === anchored.hash)
    return verdict;
  const reason = anchored.row_id === null ? 'anchored_row_missing' : 'anchored_head_differs';
  const brokenRowId = anchored.row_id ?? last_id;
  return { ...verdict, status: 'fail', reason, ...(brokenRowId && { brokenRowId }) };
}

/** What is compared with the entries while they are read. Nothing of a closed account. */
interface Compared {
  readonly identities?: LeafCheck;
  readonly records?: RecordCheck;
}

async function walk(
  {
    keyring,
    check,
    evidence,
    identities,
    records,
  }: Pick<WalkDeps, 'keyring' | 'check'> & Compared & { readonly evidence: Read },
  scope: Scope,
  chain: store.ChainRow,
  { fromSeq, isWhole }: { readonly fromSeq: number; readonly isWhole: boolean },
) {
  if (chain.first_seq !== null && chain.first_seq < 1)
    return { rows: 0, broken: { reason: 'row_before_first', brokenRowId: chain.first_id as string } };
  const last = chain.seq;
  const read = async (from: number) =>
    from > last ? [] : store.dumpChain(evidence, from, Math.min(last, from + MAX_PAGE_SIZE - 1));
  const genesis = fromSeq === 1 ? genesisHash(scope.tenantId, scope.environment) : undefined;
  let link: Link = { hash: genesis, seq: fromSeq - 1, at: 0 };
  let lines = await read(fromSeq);
  for (let from = fromSeq; from <= last; from += MAX_PAGE_SIZE) {
    // The next page is read while this one is checked.
    const [checked, next] = await Promise.all([
      check(link, scope.environment, lines),
      read(from + MAX_PAGE_SIZE),
    ]);
    lines = next;
    link = checked.link;
    const broken = checked.broken ?? (await identities?.check(checked.identities ?? []));
    if (broken) return { rows: link.seq - fromSeq + 1, broken };
    await records?.check(checked.seals ?? [], checked.pages);
  }
  const broken =
    checkHead({ keyring }, scope, chain, link) ?? (isWhole ? await identities?.finish() : undefined);
  const atEnd = broken && { ...(chain.last_id && { brokenRowId: chain.last_id }), ...broken };
  return { rows: link.seq - fromSeq + 1, broken: atEnd };
}

function checkHead(
  { keyring }: Pick<Deps, 'keyring'>,
  scope: Scope,
  chain: store.ChainRow,
  link: Link,
): Broken | undefined {
  const at = (reason: string): Broken => ({ reason, ...(link.id && { brokenRowId: link.id }) });
  const head = { seq: chain.seq, hash: chain.hash, at: Number(chain.last_at) };
  if (link.seq !== head.seq) return at('tail_missing');
  if (chain.last_seq !== null && chain.last_seq > head.seq) {
    return { reason: 'rows_after_head', ...(chain.last_id && { brokenRowId: chain.last_id }) };
  }
  if ((link.hash !== undefined && link.hash !== head.hash) || (head.seq > 0 && link.at !== head.at))
    return at('head_differs');
  const keys = keyring.find(chain.key_id);
  if (keys === undefined) return at('head_key_unknown');
  return verifyHead(keys, scope.tenantId, scope.environment, head, chain.signature)
    ? undefined
    : at('head_signature');
}
