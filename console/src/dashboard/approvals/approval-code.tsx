import { MatchNumber } from '../../ui/codes/match-number';
import { Scan } from '../../ui/codes/scan';
import { Panel } from '../../ui/layout/panel';
import { useCountdown } from '../../ui/lists/time';
import type { ListedApproval } from '../operations/api';
import style from './approvals.module.css';

/** How an approver gets to it. Only the window that asked knows the number. */
export function ApprovalCode({
  of: { id, qrPayload, expiresAt },
  matchCode,
}: {
  readonly of: ListedApproval;
  readonly matchCode: string | undefined;
}) {
  const isOver = useCountdown(expiresAt) === 0;
  return (
    <Panel title="Open it on a phone">
      <div className={style.code}>
        <Scan
          text={qrPayload}
          label="Code for the approver’s phone"
          address={`/phone/#approval=${encodeURIComponent(id)}`}
          stale={isOver}
        />
        <div className={style.side}>
          {matchCode !== undefined && <MatchNumber of={matchCode} />}
          <p>
            The approver scans the code or opens the link. It also waits in the list of approvals on their
            phone.
          </p>
          <p className={style.about}>
            {isOver
              ? 'The time is up.'
              : 'The code has none of the text. Only the phones of the approvers can read it.'}
            {matchCode !== undefined &&
              !isOver &&
              ' The number is shown only in this window. A phone with another number can’t approve.'}
          </p>
        </div>
      </div>
    </Panel>
  );
}
