import type { PairingSession } from '@svc/sdk';
import { Link } from 'react-router';
import { Explained } from '../nouns/explained';
import { accountPage } from '../paths';
import { useEntry } from '../records/use-entry';

/** What a session means that signed nobody in, or not yet, and what to do. */
export function Outcome({ of }: { readonly of: PairingSession }) {
  if (of.state === 'declined') return <Declined of={of} />;
  if (of.state === 'proved')
    return (
      <Explained
        tone="warn"
        what="The phone’s proof is valid, but the browser is new to its owner."
        next="The session signs nobody in until the phone is beside that browser."
      >
        <Link to={accountPage('security')}>The policy for new browsers</Link>
      </Explained>
    );
  if (of.state === 'expired')
    return (
      <Explained
        tone="plain"
        what="The time was up before a phone had finished."
        next="Nobody was signed in. The person opens a new code and scans it within five minutes."
      />
    );
  if (of.state === 'rejected')
    return (
      <Explained
        what="The number typed on the phone was not the one on the screen, which ended the sign-in."
        next="Ask the person whether they mistyped it. If they saw another number, somebody may have shown them the code of another screen."
      >
        <a href="/docs/pairing#the-phone">How the number protects a sign-in</a>
      </Explained>
    );
  return null;
}

/** The audit log has the reason. */
function Declined({ of }: { readonly of: PairingSession }) {
  const isMistake = useEntry(of.id, 'pairing.declined')?.metadata.reason === 'mistake';
  return isMistake ? (
    <Explained
      tone="warn"
      what="The person with the phone declined: it was a mistake."
      next="Nobody was signed in. The person can start again."
    />
  ) : (
    <Explained
      what="The person with the phone said that this sign-in was not theirs."
      next="Ask them where they saw the code. Somebody may have shown them the code of a sign-in that they did not start."
    />
  );
}
