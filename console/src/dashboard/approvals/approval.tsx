import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { Facts } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Needs } from '../nouns/members/needs';
import { RequesterWithKind } from '../nouns/receipt/approval-names';
import { isOpen, StateBadge, TimeLeft } from '../nouns/receipt/approval-states';
import { CopyId } from '../nouns/reference';
import type { ListedApproval } from '../operations/api';
import { REFRESH_MS } from '../operations/refresh';
import { useReload } from '../operations/send';
import { RecordFrame } from '../records/record-frame';
import { RelatedEntries } from '../records/related/related-entries';
import { useRecord } from '../records/use-record';
import { ApprovalCode } from './approval-code';
import style from './approvals.module.css';
import { Approvers } from './approvers';
import { Asked } from './asked';
import { CancelApproval } from './cancel-approval';
import { Outcome } from './outcome';
import { Receipt } from './receipt/receipt';
import { readMatchCode } from './request/match-code';

const POLL_INTERVAL_MS = 2_000;

/** A decision can arrive at any moment. After that, only its use or its time can change it. */
function pollMsOf({ state }: ListedApproval): number {
  if (state === 'pending') return POLL_INTERVAL_MS;
  return state === 'approved' ? REFRESH_MS : 0;
}

/** The audit log has an entry of each decision. */
function useAuditReload(approval: ListedApproval | undefined): void {
  const reload = useReload('consoleListAuditEvents');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the approval reloads it
  useEffect(() => void reload(), [approval?.state, approval?.decisions.length]);
}

export function ApprovalRecord() {
  const matchCode = readMatchCode(useLocation().state);
  const [cancelling, setCancelling] = useState(false);
  const found = useRecord({
    kind: 'Approval',
    page: 'approvals',
    operation: 'getApproval',
    input: (id) => ({ path: { id }, query: { include: 'names' } }),
    pick: ({ approval }) => approval,
    pollMs: (approval) => (approval === undefined ? 0 : pollMsOf(approval)),
  });
  useAuditReload(found.record);
  return (
    <RecordFrame
      of={found}
      title={({ action }) => action?.title ?? 'Approval'}
      about={({ state, expiresAt }) => (
        <>
          <span role="status">
            Approval <StateBadge of={state} />
          </span>
          {isOpen(state) && (
            <span>
              {state === 'pending' ? 'Time left:' : 'To be used within'} <TimeLeft until={expiresAt} />
            </span>
          )}
        </>
      )}
      actions={({ state }) =>
        state === 'pending' && (
          <Needs least="developer">
            <Button look="danger" onClick={() => setCancelling(true)}>
              <X size={16} aria-hidden="true" />
              Cancel the request
            </Button>
          </Needs>
        )
      }
      notice={(approval) => <Outcome of={approval} />}
    >
      {(approval) => (
        <>
          {approval.state === 'pending' && <ApprovalCode of={approval} matchCode={matchCode} />}
          <div className={style.sides}>
            {approval.action && <Asked action={approval.action} />}
            <Approvers of={approval} />
          </div>
          {approval.state !== 'pending' && approval.action && <Receipt key={approval.state} of={approval} />}
          <Panel title="Details">
            <Facts
              facts={{
                'Asked by': <RequesterWithKind of={approval.requestedBy ?? null} />,
                Created: <Time at={approval.createdAt} exact />,
                [isOpen(approval.state) ? 'Expires' : 'Valid until']: <Time at={approval.expiresAt} exact />,
                ID: <CopyId of={approval.id} />,
                Digest: <CopyId of={approval.digest} name="digest" />,
              }}
            />
          </Panel>
          <Panel title="Audit log">
            <RelatedEntries about={[approval.id]} />
          </Panel>
          {cancelling && <CancelApproval approval={approval} onClose={() => setCancelling(false)} />}
        </>
      )}
    </RecordFrame>
  );
}
