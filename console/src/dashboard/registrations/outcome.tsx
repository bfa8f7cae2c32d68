import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Text } from '../../ui/lists/value';
import { Explained } from '../nouns/explained';
import { isErased } from '../nouns/person/person-name';
import { Sentence } from '../nouns/words/sentence';
import type { ListedRegistration } from '../operations/api';
import { useEnvironment } from '../operations/environment';
import { accountPage, recordIn } from '../paths';
import { useEntry } from '../records/use-entry';
import { isActive, nameOf } from './ceremony';

/** How a registration ended, and what to do. */
export function Outcome({
  session,
  another,
}: {
  readonly session: ListedRegistration;
  /** Starts a new one. */
  readonly another: ReactNode;
}) {
  const { state } = session;
  if (isActive(state) || state === 'pending_recovery') return null;
  if (isErased(session.user_name))
    return <Explained tone="plain" what="The person of this registration was erased." />;
  if (state === 'completed') return <Completed session={session} />;
  return state === 'expired' ? (
    <Explained tone="warn" {...expired(session)} action={another}>
      <PersonLink of={session} />
    </Explained>
  ) : (
    <Abandoned session={session} another={another} />
  );
}

function Completed({ session }: { readonly session: ListedRegistration }) {
  return (
    <Explained
      tone="good"
      what={
        <>
          <Text of={nameOf(session)} /> can now sign in with this phone.
        </>
      }
      next={session.recovers && 'All earlier phones are revoked.'}
    >
      <PersonLink of={session} />
    </Explained>
  );
}

/** By how far the phone came. */
function expired({ device_id: deviceId, did }: ListedRegistration): { what: string; next: string } {
  if (deviceId === null)
    return {
      what: 'The time was up before a phone scanned the code.',
      next: 'Start a new registration when the person has their phone at hand.',
    };
  if (did === null)
    return {
      what: 'The phone scanned the code, but the time was up before it had created a secret.',
      next: 'Start a new registration. The phone page has to stay open until it says that it is done.',
    };
  return {
    what: 'The phone created its secret, but the time was up before its proof arrived.',
    next: 'Start a new registration. The phone page has to stay open until it says that it is done.',
  };
}

/** The audit log knows who ended it. A failed entry is about invalid proofs. */
function Abandoned({
  session,
  another,
}: {
  readonly session: ListedRegistration;
  readonly another: ReactNode;
}) {
  const entry = useEntry(session.id, 'registration.abandoned');
  const isFailed = entry?.status === 'failure';
  return (
    <Explained
      tone={isFailed ? 'bad' : 'warn'}
      what={
        entry ? (
          <>
            <Sentence of={entry} />.
          </>
        ) : (
          'The registration was abandoned.'
        )
      }
      next={nextOf(session, isFailed)}
      action={another}
    >
      <PersonLink of={session} />
      {isFailed && <a href="/docs/registration#what-goes-wrong">What goes wrong</a>}
      {session.recovers && <Link to={accountPage('security')}>The policy for lost phones</Link>}
    </Explained>
  );
}

function nextOf({ recovers }: ListedRegistration, isFailed: boolean): string {
  if (isFailed)
    return 'Nobody was registered. Reload the phone page or update the app, then start a new registration.';
  return recovers
    ? 'No phone took over, and phones that work keep working. Start a new registration if the person still needs one.'
    : 'Nobody was registered. Start a new registration if the person still needs a phone.';
}

function PersonLink({ of: { user_id: id } }: { readonly of: ListedRegistration }) {
  const environment = useEnvironment();
  return id !== null && <Link to={recordIn(environment, 'users', id)}>The person’s phones</Link>;
}
