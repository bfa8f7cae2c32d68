import type { Operations } from '@svc/sdk';
import { CircleCheck } from 'lucide-react';
import { Panel } from '../../../ui/layout/panel';
import { Rows } from '../../../ui/lists/rows';
import { useEnvironment } from '../../operations/environment';
import { ApprovalsRow } from './approvals-row';
import style from './attention.module.css';
import { DisabledWebhooks } from './disabled-webhooks';
import { FailedSignIns } from './failed-sign-ins';
import { HealthRow } from './health-row';
import { LockedOut } from './locked-out';
import { PendingRecoveries } from './pending-recoveries';
import { QuotaRow } from './quota-row';
import { Restored } from './restored';
import { isHealthy, type Waiting } from './use-waiting';

/** What needs somebody today, the most urgent first. Nothing is a line too, so that it is seen that all was checked. */
export function Attention({
  waiting,
  overview,
}: {
  readonly waiting: Waiting;
  readonly overview: Operations['consoleGetOverview']['reply'];
}) {
  const environment = useEnvironment();
  const { health, month, webhooks, recoveries, approvals, outcomes, failed } = waiting;
  const isCalm =
    isHealthy(health) &&
    month === undefined &&
    webhooks.length + approvals.length + failed + (recoveries?.recoveries.length ?? 0) === 0 &&
    overview.lockedOut.length === 0 &&
    overview.identitiesLockedAt === null;
  if (isCalm)
    return (
      <Panel flush className={style.calm} aria-label="Needs attention">
        <CircleCheck className={style.mark} size={16} aria-hidden="true" />
        <p>Nothing needs you today.</p>
        {health && <span>All systems operational</span>}
      </Panel>
    );
  return (
    <Panel flush title="Needs attention" aria-label="Needs attention">
      <Rows>
        <HealthRow health={health} />
        {overview.identitiesLockedAt && <Restored lockedAt={overview.identitiesLockedAt} />}
        {month && <QuotaRow {...month} />}
        <DisabledWebhooks webhooks={webhooks} />
        <PendingRecoveries pending={recoveries} />
        <LockedOut people={overview.lockedOut} />
        <ApprovalsRow approvals={approvals} environment={environment} />
        {outcomes && failed > 0 && <FailedSignIns outcomes={outcomes} failed={failed} />}
      </Rows>
    </Panel>
  );
}
