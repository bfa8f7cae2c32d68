import { useQueryClient } from '@tanstack/react-query';
import { KeyRound, LogOut, UserRound } from 'lucide-react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { AccountName, Asking } from '../company/company';
import { IDENTITIES, type Identity } from '../identities/identity';
import { t } from '../language/strings';
import { isRetryable } from '../messages';
import { Sending } from '../phones/sending';
import type { SendStage } from '../prover/prove-to-send';
import { Actions, Point, Points, Screen, Success } from '../screen';
import { useWork } from '../use-work';
import { changeKey } from './change-key';

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
  const work = useWork<SendStage, true>(async (watch) => {
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
