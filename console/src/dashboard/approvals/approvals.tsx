import { Fragment } from 'react';
import { useSearchParams } from 'react-router';
import { Time } from '../../ui/lists/time';
import { Absent, Text } from '../../ui/lists/value';
import { approverNames, Requester } from '../nouns/receipt/approval-names';
import { countApproved, STATE_NAMES, StateTag } from '../nouns/receipt/approval-states';
import { Name } from '../nouns/reference';
import type { ListedApproval } from '../operations/api';
import { pages } from '../operations/operation';
import { listOf } from '../records/lists/list-of';
import { useReferences } from '../records/lists/list-query';
import { PersonFilter } from '../records/lists/reference-filters';
import style from './approvals.module.css';
import { ReferenceField, readReference } from './reference-field';
import { RequestApproval } from './request/request-approval';

const POLL_INTERVAL_MS = 3_000;

type Asked = { readonly userId?: string; readonly reference?: string };

function useAsked(): Asked {
  const { userId } = useReferences();
  const reference = readReference(useSearchParams()[0]);
  return { ...(userId && { userId }), ...(reference && { reference }) };
}

/** What people were asked to approve, newest first. New ones and decisions appear while there is one page. */
export const Approvals = listOf({
  title: 'Approvals',
  records: 'approvals',
  filters: { state: { label: 'State', options: STATE_NAMES } },
  byTime: true,
  useMore: useAsked,
  More: () => (
    <>
      <ReferenceField />
      <PersonFilter />
    </>
  ),
  pollMs: (pages) => (pages <= 1 ? POLL_INTERVAL_MS : 0),
  read: ({ environment, state, userId, reference, from, to }) =>
    pages('listApprovals', { query: { environment, state, userId, reference, from, to, include: 'names' } }),
  useParts: ({ environment }) => ({ actions: environment === 'test' && <RequestApproval primary /> }),
  columns: [
    { name: 'Title', cell: ({ action }) => (action === null ? <Erased /> : <Text of={action.title} />) },
    { name: 'Asked by', minor: true, cell: ({ requestedBy = null }) => <Requester of={requestedBy} /> },
    { name: 'Approvers', narrow: 'fact', cell: (approval) => <Approvers of={approval} /> },
    { name: 'Expires', short: true, minor: true, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    { name: 'State', short: true, narrow: 'state', cell: ({ state }) => <StateTag of={state} /> },
    { name: 'Created', short: true, narrow: 'time', at: ({ createdAt }) => createdAt },
  ],
  empty: (environment) => ({
    title: 'No approvals yet',
    text: 'Your backend asks people to approve one action, for example a payment. They read it on their phone and approve or decline. Their yes is a proof that anybody can check later.',
    ...(environment === 'test' && { action: <RequestApproval /> }),
  }),
  guide: '/docs/approvals',
});

/** The first names, and how many of the approvals that are needed there are. */
function Approvers({ of }: { readonly of: ListedApproval }) {
  const { approvers, decisions, required } = of;
  const names = approverNames(of);
  const shown = approvers.slice(0, 2);
  return (
    <div className={style.people}>
      <span>
        {shown.map((id, at) => (
          <Fragment key={id}>
            {at > 0 && ', '}
            <Name id={id} name={names.get(id)} />
          </Fragment>
        ))}
        {approvers.length > shown.length && ` and ${approvers.length - shown.length} more`}
      </span>
      {required > 1 && (
        <small>
          {Math.min(countApproved(decisions), required)} of {required} approved
        </small>
      )}
    </div>
  );
}

const Erased = () => (
  <span className={style.erased}>
    Erased <Absent />
  </span>
);
