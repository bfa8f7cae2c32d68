import { isSvcError } from '@svc/sdk';
import { register, type Stage } from '@svc/sdk/phone';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Building2, Clock, Fingerprint, Hash, KeyRound, ShieldCheck } from 'lucide-react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { Id, Text } from '../../ui/lists/value';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { whenText } from '../language/when';
import { AccountName, Asking } from '../parts/company/company';
import { Outcome, Success } from '../parts/screen/outcome';
import { Point, Points } from '../parts/screen/points';
import { Progress, stepOf } from '../parts/screen/progress';
import { Actions, Screen } from '../parts/screen/screen';
import { useAvailableProtection } from '../parts/use-available-protection';
import { useOnline } from '../parts/use-online';
import { useWork } from '../parts/use-work';
import { WithoutLock } from '../parts/without-lock';
import { phoneWith } from '../ports/ports';
import { IDENTITIES, type Identity, idOf, readIdentities } from '../vault/identities';
import type { ProtectionKind } from '../vault/sealed';
import { CEREMONIES, type Ceremony, readCeremonies } from './ceremony';
import { DiscardRegistration } from './discard';

const stepsOf = (protection: ProtectionKind): readonly (readonly [Stage, string])[] => [
  ['unlocking', t.register.steps.unlocking],
  ['sending', t.register.steps.sending],
  ...(protection === 'screen-lock' ? ([['enrolling', t.register.steps.enrolling]] as const) : []),
  ['loading', t.register.steps.loading],
  ['proving', t.register.steps.proving],
  ['completing', t.register.steps.completing],
];

export function ConfirmRegistration({
  started,
  onClose,
}: {
  readonly started: Ceremony;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const online = useOnline();
  const identities = useQuery({ queryKey: IDENTITIES, queryFn: readIdentities });
  const available = useAvailableProtection();
  // The current state, because each step changes it.
  const ceremonies = useQuery({ queryKey: CEREMONIES, queryFn: readCeremonies });
  const ceremony = ceremonies.data?.find(({ sessionId }) => sessionId === started.sessionId) ?? started;
  const work = useWork<Stage, Identity, ProtectionKind>((watch, wanted) =>
    register(phoneWith(wanted), started.sessionId, watch)
      .then(({ identity }) => identity)
      .finally(() => queries.invalidateQueries()),
  );
  if (identities.data === undefined || available === undefined) return null;
  if (work.data) return <Registered identity={work.data} onClose={onClose} />;
  const wanted = ceremony.identity?.protection.kind ?? available;
  const isOver =
    work.error !== null && (isSvcError(work.error, 'registration_unconfirmed') || !isRetryable(work.error));
  return (
    <Screen title={t.register.confirmTitle} lead={<Asking account={started} />}>
      {work.isIdle && (
        <Points>
          <Point icon={Building2}>{t.register.chosenName}</Point>
          <Point icon={wanted === 'screen-lock' ? Fingerprint : KeyRound}>{t.register.about[wanted]}</Point>
          <Point icon={ShieldCheck}>{t.register.sends}</Point>
          <Point icon={Hash}>
            {t.accountId} <Id of={started.tenantId} short />
          </Point>
        </Points>
      )}
      {work.isIdle && ceremony.unanswered && <Notice tone="warn">{t.register.maybeRegistered}</Notice>}
      {work.isIdle && identities.data.some((identity) => idOf(identity) === idOf(started)) && (
        <Notice tone="warn">{t.register.replaces}</Notice>
      )}
      {work.isPending && (
        <Progress first={t.steps.creating} steps={stepsOf(wanted)} now={stepOf(work.stage, 'sending')} />
      )}
      {work.isPending && (work.stage === 'waiting' || !online) && (
        <Notice tone="warn">{t.register.pausedOffline}</Notice>
      )}
      {isSvcError(work.error, 'registration_unconfirmed') ? (
        <Notice tone="warn">{t.register.lostResponse}</Notice>
      ) : (
        work.error && <Failure error={work.error} onRetry={isOver ? undefined : () => work.mutate(wanted)} />
      )}
      {!ceremony.identity && <WithoutLock error={work.error} onContinue={() => work.mutate('browser')} />}
      <Actions>
        <Button onClick={onClose}>{isOver ? t.back : t.register.later}</Button>
        {!isOver && !work.isPending && (
          <DiscardRegistration ceremony={ceremony} onDiscarded={onClose}>
            {t.register.discard}
          </DiscardRegistration>
        )}
        {!work.error && (
          <Button look="primary" busy={work.isPending} onClick={() => work.mutate(wanted)}>
            {t.register.action}
          </Button>
        )}
      </Actions>
    </Screen>
  );
}

const Registered = ({ identity, onClose }: { readonly identity: Identity; readonly onClose: () => void }) =>
  identity.inForceAt === undefined ? (
    <RegisteredNow identity={identity} onClose={onClose} />
  ) : (
    <Outcome
      tone="calm"
      icon={Clock}
      title={t.phones.recoveryDone.title(whenText(identity.inForceAt))}
      actions={
        <Button look="primary" onClick={onClose}>
          {t.done}
        </Button>
      }
    >
      <p>{t.phones.recoveryDone.text(<AccountName account={identity} />)}</p>
    </Outcome>
  );

const RegisteredNow = ({
  identity,
  onClose,
}: {
  readonly identity: Identity;
  readonly onClose: () => void;
}) => (
  <Success title={t.register.done} action={t.done} onAction={onClose}>
    <p>
      {t.register.doneText(
        <AccountName account={identity} />,
        identity.personName && <Text of={identity.personName} />,
      )}
    </p>
    <p>
      {t.register.doneProtected[identity.protection.kind]} {t.register.doneLost}
    </p>
  </Success>
);
