import { Button } from '../../ui/forms/button';
import { Time } from '../../ui/lists/time';
import { t } from '../language/strings';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { Sheet } from '../parts/sheet';
import type { HistoryEntry } from '../vault/history';

/** What the person decided on, as the phone showed it. */
export const DecidedOn = ({
  entry: { statement, at, outcome, reason },
  onClose,
}: {
  readonly entry: HistoryEntry;
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
      <p className={screen.soft}>{t.approvals.history.about}</p>
      <Actions>
        <Button look="primary" onClick={onClose}>
          {t.back}
        </Button>
      </Actions>
    </Screen>
  );
