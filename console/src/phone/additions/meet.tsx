import { isSvcError } from '@svc/sdk';
import { type Meeting, meet, uninvite } from '@svc/sdk/phone';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { QrCode } from '../../ui/codes/qr-code';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Countdown, useCountdown } from '../../ui/lists/time';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { AccountName } from '../parts/company/company';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { Waiting } from '../parts/waiting';
import style from './additions.module.css';
import { EnterDigits } from './digits';
import { type Ended, NobodyAdded } from './ended';
import { addressOf, type Invitation } from './invitation';

/** Shows the code until the new phone has joined and opened its identity, then asks for its digits. Leaving ends the addition. */
export function Meet({
  invitation,
  onAgain,
  onClose,
}: {
  readonly invitation: Invitation;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}) {
  const [hasJoined, setJoined] = useState(false);
  const [ended, setEnded] = useState<Ended>();
  const isOver = useCountdown(invitation.expiresAt) === 0;
  const meeting = useRef<Meeting>({});
  const {
    data: met,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ['meeting', invitation.id],
    queryFn: ({ signal }) =>
      meet(invitation.phone, invitation, meeting.current, {
        signal,
        onStage: (stage) => setJoined(stage === 'meeting'),
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const end = (next: () => void) => {
    void uninvite(invitation.phone, invitation);
    next();
  };
  const refuse = () => end(() => setEnded('refused'));
  const choices = { onAgain, onClose };
  const hasExpired = isOver || isSvcError(error, 'addition_not_found');
  if (ended !== undefined || (hasExpired && !met))
    return <NobodyAdded why={ended ?? 'expired'} {...choices} />;
  if (met)
    return (
      <EnterDigits
        invitation={invitation}
        met={met}
        isOver={isOver}
        onRejected={() => setEnded('rejected')}
        onNotMine={refuse}
        {...choices}
      />
    );
  return (
    <Screen
      key={hasJoined ? 'joined' : 'code'}
      title={hasJoined ? t.phones.adding.joined : t.phones.adding.scan}
      lead={
        <p className={screen.center}>
          <AccountName account={invitation.identity} />
        </p>
      }
    >
      {error && !isFetching ? (
        <Failure error={error} onRetry={isRetryable(error) ? () => void refetch() : undefined} />
      ) : hasJoined ? (
        <Waiting>{t.phones.adding.joinedText}</Waiting>
      ) : (
        <ShownCode invitation={invitation} />
      )}
      <Actions>
        {hasJoined && (
          <Button look="danger" onClick={refuse}>
            {t.phones.adding.notMine}
          </Button>
        )}
        <Button onClick={() => end(onClose)}>{t.cancel}</Button>
      </Actions>
    </Screen>
  );
}

const ShownCode = ({ invitation: { code, expiresAt } }: { readonly invitation: Invitation }) => (
  <>
    <p className={screen.center}>{t.phones.adding.scanText}</p>
    <div className={style.code}>
      <QrCode text={addressOf(code)} label={t.phones.adding.qr} data-address={addressOf(code)} />
    </div>
    <p className={style.left}>{t.phones.adding.left(<Countdown until={expiresAt} />)}</p>
    <div className={style.typed}>
      <p>{t.phones.adding.orType(<strong>{`${location.host}/phone`}</strong>)}</p>
      <code>{code}</code>
    </div>
  </>
);
