import type { LucideIcon } from 'lucide-react';
import { ChevronRight, CircleX, PencilLine, ShieldAlert } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { t } from '../language/strings';
import choices from '../parts/lists/choices.module.css';
import { Actions, Screen } from '../parts/screen/screen';

type Reason = 'no' | 'mistake' | 'not_me';

const ICONS: Readonly<Record<Reason, LucideIcon>> = {
  no: CircleX,
  mistake: PencilLine,
  not_me: ShieldAlert,
};

/** Asks why the person declines. Choosing a reason declines. */
export const Reasons = ({
  onBack,
  onChoose,
}: {
  readonly onBack: () => void;
  readonly onChoose: (reason: Reason) => void;
}) => (
  <Screen title={t.approvals.reasons.title}>
    <ul className={choices.choices}>
      {(['no', 'mistake', 'not_me'] as const).map((reason) => {
        const Icon = ICONS[reason];
        return (
          <li key={reason}>
            <button type="button" className={choices.choice} onClick={() => onChoose(reason)}>
              <Icon size={22} aria-hidden="true" />
              <span>
                <strong>{t.approvals.reasons[reason]}</strong>
                <span className={choices.about}>{t.approvals.reasons[`${reason}About`]}</span>
              </span>
              <ChevronRight size={20} aria-hidden="true" />
            </button>
          </li>
        );
      })}
    </ul>
    <Actions>
      <Button onClick={onBack}>{t.back}</Button>
    </Actions>
  </Screen>
);
