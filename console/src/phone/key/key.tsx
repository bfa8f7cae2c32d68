import { isSvcError } from '@svc/sdk';
import { rotate, type Stage, type Watch } from '@svc/sdk/phone';
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, LogOut, UserRound } from 'lucide-react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { isRetryable, PhoneError } from '../language/messages';
import { t } from '../language/strings';
import { AccountName, Asking } from '../parts/company/company';
import { Success } from '../parts/screen/outcome';
import { Point, Points } from '../parts/screen/points';
import { Actions, Screen } from '../parts/screen/screen';
import { Sending } from '../parts/screen/sending';
import { useWork } from '../parts/use-work';
import { phoneWith } from '../ports/ports';
import { IDENTITIES, type Identity } from '../vault/identities';

const HOUR_S = 3_600;

/** Replaces the secret. The account allows a few changes a day. */
const changeKey = (id: string, watch: Watch) =>
  rotate(phoneWith(), id, watch).catch((error: unknown) => {
    const isTooOften = isSvcError(error, 'rate_limit_exceeded') && (error.retryAfterSeconds ?? 0) > HOUR_S;
    throw isTooOften ? new PhoneError('rate_limit_exceeded', t.phones.key.tooOften) : error;
  });

/** Explains what a new key changes, and changes it. */
export function ChangeKey({
  identity,
  onBack,
  onClose,
}: {
  readonly identity: Identity;
  readonly onBack: () => void;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const work = useWork<Stage, true>(async (watch) => {
    await changeKey(identity.id, watch).finally(() => queries.invalidateQueries({ queryKey: IDENTITIES }));
    return true;
  });
  if (work.data)
    return (
      <Success title={t.phones.key.done} action={t.done} onAction={onClose}>
        <p>{t.phones.key.doneText(<AccountName account={identity} />)}</p>
      </Success>
    );
  return (
    <Screen title={t.phones.key.title} lead={<Asking account={identity} />}>
      {work.error && <Failure error={work.error} />}
      {identity.renewal && !work.isPending && <Notice tone="warn">{t.phones.key.unknown}</Notice>}
      {work.isPending && <Sending stage={work.stage} />}
      {work.isIdle && (
        <Points>
          <Point icon={KeyRound}>{t.phones.key.why}</Point>
          <Point icon={UserRound}>{t.phones.key.stays}</Point>
          <Point icon={LogOut}>{t.phones.key.sessions}</Point>
        </Points>
      )}
      <Actions>
        <Button onClick={onBack}>{t.back}</Button>
        {(!work.error || isRetryable(work.error)) && (
          <Button look="primary" busy={work.isPending} onClick={() => work.mutate()}>
            {t.phones.key.action}
          </Button>
        )}
      </Actions>
    </Screen>
  );
}
