import type { Choice } from '@svc/sdk/phone';
import { CircleSlash, Hash, HelpCircle, Hourglass, Lock, ShieldCheck, TriangleAlert } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { t } from '../language/strings';
import { type Account, AccountName } from '../parts/company/company';
import { Outcome, Success } from '../parts/screen/outcome';
import type { endOf } from './decide';

interface Close {
  readonly onClose: () => void;
}

const Done = ({ onClose }: Close) => (
  <Button look="primary" onClick={onClose}>
    {t.done}
  </Button>
);

export const Approved = ({
  account,
  isPending,
  onClose,
}: Close & { readonly account: Account; readonly isPending: boolean }) => (
  <Success title={t.approvals.approved.title} action={t.done} onAction={onClose}>
    <p>
      {isPending ? t.approvals.approved.others : t.approvals.approved.text(<AccountName account={account} />)}
    </p>
  </Success>
);

export const Declined = ({
  account,
  reason,
  onClose,
}: Close & { readonly account: Account; readonly reason: Choice['reason'] }) => {
  const { title, text, notMe, next } = t.approvals.declined;
  const name = <AccountName account={account} />;
  return (
    <Outcome tone="calm" icon={ShieldCheck} title={title} actions={<Done onClose={onClose} />}>
      <p>{reason === 'not_me' ? notMe(name) : text(name)}</p>
      {reason === 'not_me' && <p>{next}</p>}
    </Outcome>
  );
};

const END_ICONS = { decided: ShieldCheck, expired: Hourglass, closed: CircleSlash } as const;

/** The approval had ended before this phone decided. */
export const Ended = ({ how, onClose }: Close & { readonly how: Awaited<ReturnType<typeof endOf>> }) => (
  <Outcome
    tone="calm"
    icon={END_ICONS[how]}
    title={t.approvals[how].title}
    actions={<Done onClose={onClose} />}
  >
    <p>{t.approvals[how].text}</p>
  </Outcome>
);

/** The number was wrong. The approval still waits. */
export const WrongNumber = ({ onAgain, onClose }: Close & { readonly onAgain: () => void }) => (
  <Outcome
    tone="calm"
    icon={Hash}
    title={t.approvals.wrongNumber.title}
    actions={
      <>
        <Button onClick={onClose}>{t.close}</Button>
        <Button look="primary" onClick={onAgain}>
          {t.approvals.wrongNumber.again}
        </Button>
      </>
    }
  >
    <p>{t.approvals.wrongNumber.text}</p>
    <p>{t.approvals.wrongNumber.notYours}</p>
    <p>{t.approvals.wrongNumber.locks}</p>
  </Outcome>
);

export const NumbersLocked = ({ onBack, onClose }: Close & { readonly onBack: () => void }) => (
  <Outcome
    tone="calm"
    icon={Lock}
    title={t.approvals.locked.title}
    actions={
      <>
        <Button onClick={onBack}>{t.back}</Button>
        <Button look="primary" onClick={onClose}>
          {t.close}
        </Button>
      </>
    }
  >
    <p>{t.approvals.locked.text}</p>
  </Outcome>
);

/** The service does not say why. */
export const NotAccepted = ({ onClose }: Close) => (
  <Outcome
    tone="bad"
    icon={TriangleAlert}
    title={t.approvals.rejected.title}
    actions={
      <Button look="primary" onClick={onClose}>
        {t.close}
      </Button>
    }
  >
    <p>{t.approvals.rejected.text}</p>
    <p>{t.approvals.rejected.why}</p>
  </Outcome>
);

/** The person cancelled after the decision was sent. */
export const Unknown = ({ onClose }: Close) => (
  <Outcome
    tone="calm"
    icon={HelpCircle}
    title={t.approvals.unknown.title}
    actions={<Done onClose={onClose} />}
  >
    <p>{t.approvals.unknown.text}</p>
  </Outcome>
);
