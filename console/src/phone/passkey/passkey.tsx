import { useQueryClient } from '@tanstack/react-query';
import { Fingerprint, Laptop, TriangleAlert } from 'lucide-react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { AccountName, Asking } from '../company/company';
import { IDENTITIES, type Identity } from '../identities/identity';
import { t } from '../language/strings';
import { isRetryable } from '../messages';
import { Actions, Point, Points, Progress, Screen, Success } from '../screen';
import { useWork } from '../use-work';
import { needsNewPasskey, type Stage, turnOnPasskey } from './turn-on';

const stepsOf = (isNew: boolean): readonly (readonly [Stage, string])[] => {
  const { unlocking, creating, signing, loading, proving, sending } = t.passkey.steps;
  return [
    ['unlocking', isNew ? unlocking : signing],
    ...(isNew
      ? ([
          ['creating', creating],
          ['signing', signing],
        ] as const)
      : []),
    ['loading', loading],
    ['proving', proving],
    ['sending', sending],
  ];
};

/** Waiting for a network is not a step in the list, so show the sending step instead. */
const stepOf = (stage: Stage | undefined): Stage =>
  stage === undefined ? 'unlocking' : stage === 'waiting' ? 'sending' : stage;

/** Explains what the phone's passkey is for, and turns it on. */
export function TurnOnPasskey({
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
    await turnOnPasskey(identity.id, watch);
    return true;
  });
  const isNew = needsNewPasskey(identity);
  // The list of identities changes now, and this one with it.
  const close = () => void queries.invalidateQueries({ queryKey: IDENTITIES }).then(onClose);
  if (work.data)
    return (
      <Success title={t.passkey.done} action={t.done} onAction={close}>
        <p>{t.passkey.doneText(<AccountName account={identity} />)}</p>
        <p>{t.passkey.keep}</p>
      </Success>
    );
  return (
    <Screen title={t.passkey.title} lead={<Asking account={identity} />}>
      {work.error && <Failure error={work.error} />}
      {work.isPending && <Progress steps={stepsOf(isNew)} now={stepOf(work.stage)} />}
      {work.stage === 'waiting' && work.isPending && <Notice tone="warn">{t.phones.offline}</Notice>}
      {work.isIdle && (
        <Points>
          <Point icon={Laptop}>{t.passkey.why}</Point>
          <Point icon={Fingerprint}>{t.passkey.unlocks[isNew ? 'new' : 'own']}</Point>
          <Point icon={TriangleAlert}>{t.passkey.keep}</Point>
        </Points>
      )}
      <Actions>
        <Button onClick={onBack}>{t.back}</Button>
        {(!work.error || isRetryable(work.error)) && (
          <Button look="primary" busy={work.isPending} onClick={() => work.mutate()}>
            {work.error ? t.tryAgain : t.passkey.turnOn}
          </Button>
        )}
      </Actions>
    </Screen>
  );
}
