import type { Static } from 'typebox';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import { listPage } from '../../records/list.js';
import { iso, isoOrNull } from '../../records/schema.js';
import type { ListAnchorsQuery } from './list.schema.js';
import * as store from './list.store.js';

type AnchorsQuery = Static<typeof ListAnchorsQuery>;

const KINDS = { identity: 1, audit_head: 2 } as const;

const statusOf = ({ batch_id, included_at, confirmed_at }: store.AnchoredRow) => {
  if (batch_id === null) return 'waiting' as const;
  if (included_at === null) return 'sent' as const;
  return confirmed_at === null ? ('included' as const) : ('confirmed' as const);
};

function show(row: store.AnchoredRow) {
  const [chainId, contract] = row.hub?.split(':') ?? [];
  return {
    id: row.id,
    kind: row.kind === KINDS.identity ? ('identity' as const) : ('audit_head' as const),
    status: statusOf(row),
    seq: row.seq,
    identityId: row.identity_id,
    userId: row.user_id,
    batchId: row.batch_id,
    chainId: chainId === undefined ? null : Number(chainId),
    contract: contract ?? null,
    txHash: row.tx_hash && `0x${row.tx_hash}`,
    block: row.mined_block,
    createdAt: iso(row.created_at),
    includedAt: isoOrNull(row.included_at),
    confirmedAt: isoOrNull(row.confirmed_at),
  };
}

type ListContext = Pick<ScopedContext, 'read' | 'scope'> & {
  deps: Pick<Deps, 'cursors' | 'history'>;
  query: AnchorsQuery;
};

/** A page of what is or will be anchored, newest first, and how much still waits for a batch. */
export async function listAnchors(context: ListContext) {
  const [page, waiting] = await Promise.all([
    listPage(context, 'anchors', {
      fetch: (read, { kind }: AnchorsQuery, count, after) =>
        store.listAnchored(read, kind && KINDS[kind], count, after),
      position: ({ id }) => id,
      show,
      showNames: async (_, rows) => rows.map((row) => ({ ...show(row), userName: row.user_name })),
    }),
    store.countWaiting(context.read),
  ]);
  return { ...page, waiting: { count: waiting.count, since: isoOrNull(waiting.since) } };
}
