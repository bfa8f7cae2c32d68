import { Link } from 'react-router';
import { Explained } from '../nouns/explained';
import { approverNames, RequesterWithKind } from '../nouns/receipt/approval-names';
import { countApproved } from '../nouns/receipt/approval-states';
import { Reference } from '../nouns/reference';
import { Sentence } from '../nouns/words/sentence';
import type { ListedApproval } from '../operations/api';
import { accountPage } from '../paths';
import { useEntry } from '../records/use-entry';

/** How an approval ended without being used, and what to do. */
export function Outcome({ of }: { readonly of: ListedApproval }) {
  if (of.action === null)
    return (
      <Explained
        tone="plain"
        what="A person who could approve this was erased, and the text with them."
        next="The digest and the audit log are kept."
      />
    );
  if (of.state === 'declined') return <Declined of={of} />;
  if (of.state === 'expired') return <Expired of={of} />;
  if (of.state === 'cancelled') return <Cancelled of={of} />;
  return null;
}

const REASONS = {
  not_me: 'declined it and knows nothing of the request',
  mistake: 'declined it, because it was asked by mistake',
  no: 'declined it',
} as const;

function Declined({ of }: { readonly of: ListedApproval }) {
  const names = approverNames(of);
  const declined = of.decisions.filter(({ decision }) => decision === 'decline');
  const last = declined.find(({ reason }) => reason === 'not_me') ?? declined.at(-1);
  const isStrange = last?.reason === 'not_me';
  return (
    <Explained
      what={
        last ? (
          <>
            <Reference to="users" id={last.userId} name={names.get(last.userId)} />{' '}
            {REASONS[last.reason ?? 'no']}.
          </>
        ) : (
          'Too few people are left who could approve it.'
        )
      }
      next={
        isStrange ? (
          <>
            Find out who made it, and whether it was meant. It came from{' '}
            <RequesterWithKind of={of.requestedBy ?? null} />.
          </>
        ) : (
          'Too few people are left who could approve it. If it is still needed, ask again.'
        )
      }
    >
      {isStrange && of.requestedBy?.kind === 'api_key' && <Link to={accountPage('keys')}>API keys</Link>}
      <a href="/docs/approvals#states">What the states mean</a>
    </Explained>
  );
}

function Expired({ of }: { readonly of: ListedApproval }) {
  const approved = countApproved(of.decisions);
  return approved >= of.required ? (
    <Explained
      tone="warn"
      what="It was approved, but not used in time."
      next="The program that asked has to use an approval before it expires. Ask again if it is still needed."
    >
      <a href="/docs/approvals#consume">How an approval is used</a>
    </Explained>
  ) : (
    <Explained
      tone="warn"
      what={
        approved === 0
          ? 'The time was up before anybody had approved it.'
          : `The time was up when ${approved} of the ${of.required} people it needs had approved it.`
      }
      next="If it is still needed, ask again, and tell the approvers that it waits on their phones."
    >
      <a href="/docs/approvals#states">What the states mean</a>
    </Explained>
  );
}

function Cancelled({ of }: { readonly of: ListedApproval }) {
  const entry = useEntry(of.id, 'approval.cancelled');
  return (
    <Explained
      tone="plain"
      what={
        entry ? (
          <>
            <Sentence of={entry} />.
          </>
        ) : (
          'The request was cancelled.'
        )
      }
      next="Nobody can approve it any more. If it is still needed, ask again."
    />
  );
}
