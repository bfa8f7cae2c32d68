import { contest, type Recovery, type Stage, type Watch } from '@svc/sdk/phone';
import { CirclePause, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { type Account, AccountName } from '../parts/company/company';
import { Outcome } from '../parts/screen/outcome';
import { Sending } from '../parts/screen/sending';
import { useWork } from '../parts/use-work';
import { phoneWith } from '../ports/ports';
import type { Identity } from '../vault/identities';
import style from './phones.module.css';

/** `held` if a phone that was revoked before objected: then the company has to confirm the recovery. */
export type ContestResult = 'cancelled' | 'held';

/** Objects to a recovery, with an identity that is in force or was until recently. */
export const object = async ({ id }: Identity, recoveryId: string, watch: Watch): Promise<ContestResult> =>
  (await contest(phoneWith(), id, recoveryId, watch)).state === 'pending_recovery' ? 'held' : 'cancelled';

/** Somebody is replacing the person's phones. The proof, which needs the screen lock, is the confirmation. */
export function RecoveryAlarm({
  identity,
  recovery,
  onContested,
}: {
  readonly identity: Identity;
  readonly recovery: Recovery;
  readonly onContested: (result: ContestResult) => void;
}) {
  const [isMe, setIsMe] = useState(false);
  const work = useWork<Stage, void>(async (watch) => onContested(await object(identity, recovery.id, watch)));
  if (isMe) return <Notice>{t.phones.recovery.expected}</Notice>;
  const company = <AccountName account={identity} />;
  return (
    <section className={style.alarm} role="alert">
      <h2>{t.phones.recovery.title}</h2>
      <p>{t.phones.recovery.text(company, <Time at={recovery.completesAt} />)}</p>
      {recovery.contestedAt !== null && <p>{t.phones.recovery.held(company)}</p>}
      {work.isPending && <Sending stage={work.stage} />}
      {work.error && (
        <Failure error={work.error} onRetry={isRetryable(work.error) ? () => work.mutate() : undefined} />
      )}
      {recovery.contestedAt === null && !work.error && (
        <div>
          <Button onClick={() => setIsMe(true)}>{t.phones.recovery.isMe}</Button>
          <Button look="primary" busy={work.isPending} onClick={() => work.mutate()}>
            {t.phones.recovery.notMe}
          </Button>
        </div>
      )}
    </section>
  );
}

/** What became of a recovery that the person objected to. */
export const Contested = ({
  account,
  result,
  onClose,
}: {
  readonly account: Account;
  readonly result: ContestResult;
  readonly onClose: () => void;
}) => {
  const company = <AccountName account={account} />;
  return (
    <Outcome
      tone={result === 'held' ? 'calm' : 'good'}
      icon={result === 'held' ? CirclePause : ShieldCheck}
      title={result === 'held' ? t.phones.recovery.onHold : t.phones.recovery.cancelled}
      actions={
        <Button look="primary" onClick={onClose}>
          {t.done}
        </Button>
      }
    >
      <p>
        {result === 'held' ? t.phones.recovery.onHoldText(company) : t.phones.recovery.cancelledText(company)}
      </p>
    </Outcome>
  );
};
