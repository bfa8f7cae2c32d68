import { attest, type Stage } from '@svc/sdk/phone';
import { useQueryClient } from '@tanstack/react-query';
import { Fingerprint, Laptop, TriangleAlert } from 'lucide-react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { AccountName, Asking } from '../parts/company/company';
import { Success } from '../parts/screen/outcome';
import { Point, Points } from '../parts/screen/points';
import { Progress, stepOf } from '../parts/screen/progress';
import { Actions, Screen } from '../parts/screen/screen';
import { useWork } from '../parts/use-work';
import { isDiscoverable, phoneWith } from '../ports/ports';
import { IDENTITIES, type Identity } from '../vault/identities';
import { canTurnOn } from './turn-on';

export { PasskeyCard } from './passkey-card';
export { canTurnOn };

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
    if (canTurnOn(identity)) await attest(phoneWith(), identity.id, watch);
    return true;
  });
  // Otherwise, the passkey that the identity has is enrolled.
  const isNew = !isDiscoverable(identity.protection);
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
