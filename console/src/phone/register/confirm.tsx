import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Facts, Notice } from '../../ui/layout/surface';
import { Id } from '../../ui/lists/value';
import { AccountName, Asking, PROTECTED_BY } from '../identities/account';
import { heldIdentities, IDENTITIES, type Identity, idOf, shortDid } from '../identities/identity';
import { useOnline } from '../offline/online';
import style from '../phone.module.css';
import { Progress, Screen } from '../screen';
import { explained, mayTryAgain } from '../sentences';
import { SERVICE } from '../service';
import { useWork } from '../use-work';
import { NoScreenLock, NotUnlocked, type ProtectionKind, protectionAtHand } from '../vault/protection';
import { begunCeremonies, CEREMONIES, type Ceremony, register, type Stage, Unconfirmed } from './ceremony';
import { GiveUp } from './give-up';

const STEPS: readonly (readonly [Stage, string])[] = [
  ['unlocking', 'Make the identity, and keep it on this phone'],
  ['sending', 'Send its commitment'],
  ['loading', 'Get the prover ready'],
  ['proving', 'Prove that this phone knows the secret'],
  ['completing', 'Register'],
];

/** The desk's account is known by now: the person decides, and watches. */
export function Confirmed({ begun, onClose }: { readonly begun: Ceremony; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const online = useOnline();
  const held = useQuery({ queryKey: IDENTITIES, queryFn: heldIdentities });
  const best = useQuery({ queryKey: ['protection'], queryFn: protectionAtHand });
  // As it stands by now: each step changes it.
  const ceremonies = useQuery({ queryKey: CEREMONIES, queryFn: begunCeremonies });
  const ceremony = ceremonies.data?.find(({ sessionId }) => sessionId === begun.sessionId) ?? begun;
  const work = useWork<Stage, Identity, ProtectionKind>((watch, wanted) =>
    register(begun.sessionId, wanted, watch).finally(() => queries.invalidateQueries()),
  );
  if (held.data === undefined || best.data === undefined) return null;
  if (work.data) return <Registered identity={work.data} onClose={onClose} />;
  const wanted = ceremony.identity?.protection.kind ?? best.data;
  const isOver = work.error !== null && (work.error instanceof Unconfirmed || !mayTryAgain(work.error));
  return (
    <Screen title="Register with this account?">
      <Asking account={begun} />
      <p className={style.soft}>The account chose this name. Register only if you are at its desk.</p>
      <Facts
        facts={[
          ['Service', SERVICE],
          ['Account number', <Id key="number" of={begun.tenantId} short />],
          ['Protected by', PROTECTED_BY[wanted]],
        ]}
      />
      {work.isIdle && <About wanted={wanted} />}
      {work.isIdle && ceremony.unanswered && (
        <Notice tone="warn">
          Its last answer never came, so it may be registered already. “Register” asks the service again.
        </Notice>
      )}
      {work.isIdle && held.data.some((identity) => idOf(identity) === idOf(begun)) && (
        <Notice tone="warn">
          This phone has an identity of this account already. Once the new one is registered it takes its
          place, and the old one’s secret is deleted.
        </Notice>
      )}
      {work.isPending && <Progress steps={STEPS} now={lastStep(work.stage)} />}
      {work.isPending && (work.stage === 'waiting' || !online) && (
        <Notice tone="warn">
          You are offline. It goes on when there is a network; what was made is kept.
        </Notice>
      )}
      {work.error instanceof Unconfirmed ? (
        <Notice tone="warn">
          The last answer was lost on the way, and the code is spent. The identity is kept, beside an older
          one of the account if there is one: ask the desk whether the registration was completed.
        </Notice>
      ) : (
        work.error && (
          <Failure error={explained(work.error)} onRetry={isOver ? undefined : () => work.mutate(wanted)} />
        )
      )}
      {needsLock(work.error) && !ceremony.identity && (
        <Notice
          action={
            <Button small onClick={() => work.mutate('browser')}>
              Keep it without a screen lock
            </Button>
          }
        >
          If this phone has no screen lock that works here, the identity can be kept without one. Anyone who
          can unlock this phone can then use it.
        </Notice>
      )}
      <div className={style.choices}>
        <Button onClick={onClose}>{isOver ? 'Back' : 'Later'}</Button>
        {!isOver && !work.isPending && (
          <GiveUp ceremony={ceremony} onGone={onClose}>
            Give up
          </GiveUp>
        )}
        {!work.error && (
          <Button look="primary" busy={work.isPending} onClick={() => work.mutate(wanted)}>
            Register
          </Button>
        )}
      </div>
    </Screen>
  );
}

const About = ({ wanted }: { readonly wanted: ProtectionKind }) => (
  <p>
    {wanted === 'screen-lock'
      ? 'The phone asks for your fingerprint, face or screen lock, and keeps a secret behind it. None of these is read by this page or sent anywhere.'
      : 'This browser offers no screen lock to this page. The secret is kept under a key that the browser holds: whoever can unlock this phone can use it.'}{' '}
    Only a number computed from the secret and a proof are sent.
  </p>
);

const needsLock = (error: unknown) => error instanceof NotUnlocked || error instanceof NoScreenLock;

/** Waiting is no step of its own: it stands where it will go on. */
const lastStep = (stage: Stage | undefined): Stage =>
  stage === undefined || stage === 'waiting' ? 'sending' : stage;

const Registered = ({ identity, onClose }: { readonly identity: Identity; readonly onClose: () => void }) => (
  <Screen title="Registered">
    <Notice tone="good">This phone is registered. The desk sees it by now.</Notice>
    <Facts
      facts={[
        ['Account', <AccountName key="account" account={identity} />],
        ['Environment', identity.environment],
        ['Identity', <code key="did">{shortDid(identity.did)}</code>],
        ['Protected by', PROTECTED_BY[identity.protection.kind]],
      ]}
    />
    <div className={style.choices}>
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  </Screen>
);
