import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Facts, Notice } from '../../ui/layout/surface';
import { Id } from '../../ui/lists/value';
import { AccountName, PROTECTED_BY, RequestingAccount } from '../identities/account';
import { IDENTITIES, type Identity, idOf, readIdentities } from '../identities/identity';
import { isRetryable, withPhoneMessage } from '../messages';
import { useOnline } from '../offline/online';
import style from '../phone.module.css';
import { Actions, Progress, Screen, Success } from '../screen';
import { SERVICE } from '../service';
import { useWork } from '../use-work';
import { availableProtection, NoScreenLock, NotUnlocked, type ProtectionKind } from '../vault/protection';
import { CEREMONIES, type Ceremony, readCeremonies, register, type Stage, Unconfirmed } from './ceremony';
import { DiscardRegistration } from './discard';

const STEPS: readonly (readonly [Stage, string])[] = [
  ['unlocking', 'Create and store the identity on this phone'],
  ['sending', 'Send its commitment'],
  ['loading', 'Load the prover'],
  ['proving', 'Prove that this phone knows the secret'],
  ['completing', 'Register'],
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
  const best = useQuery({ queryKey: ['protection'], queryFn: availableProtection });
  // The current state, because each step changes it.
  const ceremonies = useQuery({ queryKey: CEREMONIES, queryFn: readCeremonies });
  const ceremony = ceremonies.data?.find(({ sessionId }) => sessionId === started.sessionId) ?? started;
  const work = useWork<Stage, Identity, ProtectionKind>((watch, wanted) =>
    register(started.sessionId, wanted, watch).finally(() => queries.invalidateQueries()),
  );
  if (identities.data === undefined || best.data === undefined) return null;
  if (work.data) return <Registered identity={work.data} onClose={onClose} />;
  const wanted = ceremony.identity?.protection.kind ?? best.data;
  const isOver = work.error !== null && (work.error instanceof Unconfirmed || !isRetryable(work.error));
  return (
    <Screen title="Register with this account?">
      <RequestingAccount account={started} />
      <p className={style.soft}>The account chose this name. Register only if you are at its desk.</p>
      <Facts
        facts={[
          ['Service', SERVICE],
          ['Account ID', <Id key="id" of={started.tenantId} short />],
          ['Protected by', PROTECTED_BY[wanted]],
        ]}
      />
      {work.isIdle && <About wanted={wanted} />}
      {work.isIdle && ceremony.unanswered && (
        <Notice tone="warn">
          The last response never arrived, so this phone may already be registered. Press “Register” to ask
          the service again.
        </Notice>
      )}
      {work.isIdle && identities.data.some((identity) => idOf(identity) === idOf(started)) && (
        <Notice tone="warn">
          This phone already has an identity for this account. When the new one is registered, it replaces the
          old one, whose secret is deleted.
        </Notice>
      )}
      {work.isPending && <Progress steps={STEPS} now={stepOf(work.stage)} />}
      {work.isPending && (work.stage === 'waiting' || !online) && (
        <Notice tone="warn">
          You are offline. The registration continues when the network is back. Your progress is saved.
        </Notice>
      )}
      {work.error instanceof Unconfirmed ? (
        <Notice tone="warn">
          The last response was lost, and the code can’t be used again. The identity is kept, in addition to
          any older one for this account. Ask the desk whether the registration completed.
        </Notice>
      ) : (
        work.error && (
          <Failure
            error={withPhoneMessage(work.error)}
            onRetry={isOver ? undefined : () => work.mutate(wanted)}
          />
        )
      )}
      {needsLock(work.error) && !ceremony.identity && (
        <Notice
          action={
            <Button small onClick={() => work.mutate('browser')}>
              Store it without a screen lock
            </Button>
          }
        >
          If this phone has no screen lock that this page can use, you can store the identity without one.
          Anyone who can unlock this phone can then use it.
        </Notice>
      )}
      <Actions>
        <Button onClick={onClose}>{isOver ? 'Back' : 'Later'}</Button>
        {!isOver && !work.isPending && (
          <DiscardRegistration ceremony={ceremony} onDiscarded={onClose}>
            Discard
          </DiscardRegistration>
        )}
        {!work.error && (
          <Button look="primary" busy={work.isPending} onClick={() => work.mutate(wanted)}>
            Register
          </Button>
        )}
      </Actions>
    </Screen>
  );
}

const About = ({ wanted }: { readonly wanted: ProtectionKind }) => (
  <p>
    {wanted === 'screen-lock'
      ? 'The phone asks for your fingerprint, face or screen lock and protects a secret with it. This page can’t read any of these, and nothing of them is sent.'
      : 'This browser offers no screen lock to this page. The secret is encrypted with a key stored by the browser, so anyone who can unlock this phone can use it.'}{' '}
    The phone sends only a number computed from the secret and a proof.
  </p>
);

const needsLock = (error: unknown) => error instanceof NotUnlocked || error instanceof NoScreenLock;

/** Waiting is not a step in the list, so show the sending step instead. */
const stepOf = (stage: Stage | undefined): Stage =>
  stage === undefined || stage === 'waiting' ? 'sending' : stage;

const Registered = ({ identity, onClose }: { readonly identity: Identity; readonly onClose: () => void }) => (
  <Success title="Registered" onClose={onClose}>
    <p>
      This phone is registered with <AccountName account={identity} />. The desk shows it as completed.
    </p>
    <p>
      {PROTECTED_BY[identity.protection.kind]} protects it. If you lose this phone, ask the desk to revoke it.
    </p>
  </Success>
);
