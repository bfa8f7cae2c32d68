import { SvcError } from '@svc/sdk';
import type { Approved } from '@svc/sdk/phone';
import { Hash, RefreshCw, ShieldCheck, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { PhoneError } from '../language/messages';
import { t } from '../language/strings';
import { type Account, AccountName } from '../parts/company/company';
import { Outcome, Success } from '../parts/screen/outcome';
import { Actions, Screen } from '../parts/screen/screen';
import type { DeclineOutcome } from './approvable';
import { safeReturnUrl } from './return-url';

interface Choices {
  readonly onClose: () => void;
  readonly onScan: () => void;
}

export const EXPIRED = new SvcError('pairing_session_expired', 'The code has expired.');

/** How long the person reads that they are signed in before the page goes back. */
const RETURN_AFTER_MS = 1_500;

/** The sign-in worked. If the page that asked is on this device, it opens again. */
export function SignedIn({
  approved: { returnUrl },
  account,
  onClose,
}: {
  readonly approved: Approved;
  readonly account: Account;
  readonly onClose: () => void;
}) {
  const url = returnUrl === undefined ? undefined : safeReturnUrl(returnUrl);
  const href = url?.href;
  useEffect(() => {
    if (href === undefined) return;
    const timer = setTimeout(() => location.assign(href), RETURN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [href]);
  if (returnUrl === undefined)
    return (
      <Success title={t.pair.done} action={t.done} onAction={onClose}>
        <p>{t.pair.doneText(<AccountName account={account} />)}</p>
      </Success>
    );
  if (url === undefined) return <CannotApprove error={noWayBack()} onClose={onClose} />;
  return (
    <Success title={t.pair.done} action={t.continue} onAction={() => location.assign(url.href)}>
      <p>{t.pair.returning(url.host)}</p>
    </Success>
  );
}

const noWayBack = () => new PhoneError('malformed_payload', t.pair.noWayBack);

/** A way out, and the way to a new code. */
export const ScanAgain = ({ leave, onClose, onScan }: Choices & { readonly leave: string }) => (
  <>
    <Button onClick={onClose}>{leave}</Button>
    <Button look="primary" onClick={onScan}>
      {t.scanAgain}
    </Button>
  </>
);

/** The number was wrong, which has ended the session. */
export const WrongNumber = ({ onClose, onScan }: Choices) => (
  <Outcome
    tone="calm"
    icon={Hash}
    title={t.pair.wrongNumber.title}
    actions={<ScanAgain leave={t.close} onClose={onClose} onScan={onScan} />}
  >
    <p>{t.pair.wrongNumber.over}</p>
    <p>{t.pair.wrongNumber.yours}</p>
    <p>{t.pair.wrongNumber.notYours}</p>
  </Outcome>
);

/** The person said that the sign-in was not theirs. */
export const Declined = ({
  how,
  account,
  onClose,
}: {
  readonly how: DeclineOutcome;
  readonly account: Account;
  readonly onClose: () => void;
}) => (
  <Outcome
    tone={how === 'signedIn' ? 'bad' : 'calm'}
    icon={how === 'signedIn' ? TriangleAlert : ShieldCheck}
    title={t.pair.declined[how].title}
    actions={
      <Button look="primary" onClick={onClose}>
        {t.done}
      </Button>
    }
  >
    <p>{t.pair.declined[how].text(<AccountName account={account} />)}</p>
    <p>{t.pair.declined.next}</p>
  </Outcome>
);

/** The code on the other screen has moved on, or the person took too long. */
export const CodeChanged = ({ onClose, onScan }: Choices) => (
  <Outcome
    tone="calm"
    icon={RefreshCw}
    title={t.pair.changed.title}
    actions={<ScanAgain leave={t.cancel} onClose={onClose} onScan={onScan} />}
  >
    <p>{t.pair.changed.text}</p>
    <p>{t.pair.changed.picture}</p>
  </Outcome>
);

/** The approval was cancelled after it was sent. */
export const CheckScreen = (choices: Choices) => (
  <Screen title={t.pair.check}>
    <Notice tone="warn">{t.pair.checkText}</Notice>
    <Ways {...choices} />
  </Screen>
);

export const CannotApprove = ({
  error,
  ...choices
}: { readonly error: unknown } & Pick<Choices, 'onClose'> & Partial<Choices>) => (
  <Screen title={t.pair.cannot}>
    <Failure error={error} />
    <Ways {...choices} />
  </Screen>
);

/** A sign-in page led to this browser, which has no identity. */
export const NotRegisteredHere = ({ onClose }: Pick<Choices, 'onClose'>) => (
  <Screen title={t.pair.notRegisteredHere.title}>
    <p>{t.pair.notRegisteredHere.text}</p>
    <Actions>
      <Button look="primary" onClick={onClose}>
        {t.pair.notRegisteredHere.back}
      </Button>
    </Actions>
  </Screen>
);

const Ways = ({ onClose, onScan }: Pick<Choices, 'onClose'> & Partial<Choices>) => (
  <Actions>
    <Button onClick={onClose}>{t.back}</Button>
    {onScan && (
      <Button look="primary" onClick={onScan}>
        {t.scanAnother}
      </Button>
    )}
  </Actions>
);
