import { Button } from '../../ui/forms/button';
import { Time } from '../../ui/lists/time';
import { Sheet } from '../approvals/sheet';
import { t } from '../language/strings';
import phone from '../phone.module.css';
import { Actions, Screen } from '../screen';
import type { Approval } from './approvals';

/** What the person decided on, as the phone showed it. */
export const DecidedOn = ({
  approval: { statement, at, outcome, reason },
  onClose,
}: {
  readonly approval: Approval;
  readonly onClose: () => void;
}) =>
  statement && (
    <Screen title={t.approvals.history.title}>
      <p>
        <strong>
          {t.approvals.history.results[outcome]}
          {reason && ` (${t.approvals.reasons[reason]})`}
        </strong>
        <br />
        {t.approvals.history.decidedAt(<Time at={at} exact />)}
      </p>
      <Sheet statement={statement} />
      <p className={phone.soft}>{t.approvals.history.about}</p>
      <Actions>
        <Button look="primary" onClick={onClose}>
          {t.back}
        </Button>
      </Actions>
    </Screen>
  );
