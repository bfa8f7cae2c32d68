import type { AnchoredRecord } from '@svc/sdk';
import { Download as DownloadIcon } from 'lucide-react';
import { CopyIcon } from '../../../ui/forms/copy';
import { Inline } from '../../../ui/layout/stack';
import { StatusTag } from '../../../ui/layout/surface';
import { Absent } from '../../../ui/lists/value';
import { formatNumber } from '../../../ui/numbers';
import { Download } from '../../download';
import { Reference } from '../../nouns/reference';
import { useEnvironment } from '../../operations/environment';
import { pages } from '../../operations/operation';
import { useHasBlockchain } from '../../operations/use-health';
import { listOf } from '../../records/lists/list-of';
import { Anchoring } from './anchoring';
import { explorerOf } from './chains';
import { NotAnchored } from './not-anchored';

const REFRESH_MS = 15_000;

/** What is on the blockchain, and what waits for it. */
export const Anchors = listOf({
  title: 'Anchors',
  filters: { kind: { label: 'Record', options: { identity: 'People', audit_head: 'Audit log' } } },
  read: (query) => pages('listAnchors', { query: { ...query, include: 'names' } }),
  pollMs: (pages) => (pages === 1 ? REFRESH_MS : 0),
  useParts: ({ environment }) => {
    const hasBlockchain = useHasBlockchain();
    if (hasBlockchain === undefined) return {};
    if (!hasBlockchain || environment === 'test')
      return { instead: <NotAnchored because={hasBlockchain ? 'test' : 'no blockchain'} /> };
    return { above: <Anchoring /> };
  },
  columns: [
    { name: 'Record', cell: (anchor) => <AnchoredName of={anchor} /> },
    {
      name: 'Status',
      short: true,
      narrow: 'state',
      cell: ({ status, block }) => (
        <StatusTag tone={status === 'confirmed' ? 'good' : 'plain'}>{statusOf(status, block)}</StatusTag>
      ),
    },
    { name: 'Transaction', short: true, narrow: 'fact', cell: (anchor) => <Transaction of={anchor} /> },
    { name: 'Time', short: true, narrow: 'time', at: ({ createdAt }) => createdAt },
    { name: 'Proof', short: true, narrow: 'actions', cell: (anchor) => <Proof of={anchor} /> },
  ],
  empty: {
    title: 'Nothing is anchored yet',
    text: 'The audit log is anchored every ten minutes if it changed, and people when they are registered, as your policy says.',
  },
  guide: '/docs/chain',
});

function statusOf(status: AnchoredRecord['status'], block: number | null): string {
  if (status === 'waiting') return 'Waiting';
  if (status === 'sent') return 'Sent';
  const where = block === null ? 'in a block' : `in block ${formatNumber(block)}`;
  return status === 'included' ? `Not final, ${where}` : `Final, ${where}`;
}

function AnchoredName({ of: { kind, seq, userId, userName } }: { readonly of: AnchoredRecord }) {
  if (kind === 'audit_head') return <>Audit log up to entry {formatNumber(seq ?? 0)}</>;
  if (userId === null) return <>Erased person</>;
  return <Reference to="users" id={userId} name={userName} />;
}

function Transaction({ of: { chainId, txHash } }: { readonly of: AnchoredRecord }) {
  if (chainId === null || txHash === null) return <Absent text="not sent" />;
  const explorer = explorerOf(chainId, txHash);
  const short = <code title={txHash}>{`${txHash.slice(0, 6)}…${txHash.slice(-4)}`}</code>;
  return (
    <Inline>
      {explorer === undefined ? (
        short
      ) : (
        <a href={explorer} rel="noreferrer" target="_blank">
          {short}
        </a>
      )}
      <CopyIcon text={txHash} label="Copy the transaction" />
    </Inline>
  );
}

/** Nothing before the record is in a batch, or after its person was erased. */
function Proof({ of: { id, kind, status, userId } }: { readonly of: AnchoredRecord }) {
  const environment = useEnvironment();
  if (status === 'waiting' || (kind === 'identity' && userId === null)) return <Absent />;
  return (
    <Download
      small
      href={`/v1/anchors/proof?${new URLSearchParams({ environment, id })}`}
      name={`anchor-${id.slice(-8)}.json`}
    >
      <DownloadIcon size={16} aria-hidden="true" />
      Proof
    </Download>
  );
}
