import { Panel } from '../../ui/layout/panel';
import { Badge } from '../../ui/layout/surface';
import { Rows } from '../../ui/lists/rows';
import { Time } from '../../ui/lists/time';
import { approverNames } from '../nouns/receipt/approval-names';
import { countApproved, type Decision, type State } from '../nouns/receipt/approval-states';
import { Reference } from '../nouns/reference';
import type { ListedApproval } from '../operations/api';
import style from './approvals.module.css';

/** Who may decide, and what they decided. */
export function Approvers({ of }: { readonly of: ListedApproval }) {
  const { approvers, decisions, required, state } = of;
  const names = approverNames(of);
  const byPerson = new Map(decisions.map((decision) => [decision.userId, decision]));
  return (
    <Panel
      title="Approvers"
      aside={
        <span className={style.aside} role="status">
          {needed(required, approvers.length)}
          {required > 1 && state === 'pending' && `, ${countApproved(decisions)} so far`}
        </span>
      }
    >
      <Rows lined aria-label="Approvers">
        {approvers.map((id) => (
          <li key={id} className={style.approver}>
            <strong>
              <Reference to="users" id={id} name={names.get(id)} />
            </strong>
            <Decided of={byPerson.get(id)} state={state} />
          </li>
        ))}
      </Rows>
    </Panel>
  );
}

function needed(required: number, all: number): string {
  if (all === 1) return 'One person decides';
  if (required === all) return all === 2 ? 'Both have to approve' : `All ${all} have to approve`;
  return `${required} of ${all} ${required === 1 ? 'has' : 'have'} to approve`;
}

const REASONS: Readonly<Record<NonNullable<Decision['reason']>, string>> = {
  not_me: 'Knows nothing of it',
  mistake: 'Asked by mistake',
  no: 'Does not want it',
};

function Decided({ of, state }: { readonly of: Decision | undefined; readonly state: State }) {
  if (of === undefined)
    return (
      <span className={style.undecided}>{state === 'pending' ? 'Not decided yet' : 'Did not decide'}</span>
    );
  const { decision, decidedAt, reason } = of;
  return (
    <span className={style.decision}>
      <Badge tone={decision === 'approve' ? 'good' : 'bad'}>
        {decision === 'approve' ? 'Approved' : 'Declined'}
      </Badge>
      {reason !== null && <span>{REASONS[reason]}</span>}
      <Time at={decidedAt} />
    </span>
  );
}
