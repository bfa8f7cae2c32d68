import { MonitorSmartphone } from 'lucide-react';
import { Scan } from '../../ui/codes/scan';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Card, Notice, Row } from '../../ui/layout/surface';
import { Countdown, useCountdown } from '../../ui/lists/time';
import { SignedIn } from './signed-in';
import { useSignIn, type Waiting } from './use-sign-in';

/** A desktop's sign-in as your own pages would have it: a code, a phone that proves, and somebody is in. */
export function Desktop() {
  const { signIn, waiting, stop } = useSignIn();
  const begin = () => signIn.mutate();
  return (
    <Card title="Sign in to a desktop">
      {waiting !== undefined ? (
        <Code waiting={waiting} onStop={stop} />
      ) : signIn.data !== undefined ? (
        <SignedIn bound={signIn.data} onAgain={begin} />
      ) : (
        <>
          <p>
            This page plays the desktop. It shows a code; a phone that is registered here and linked to your
            account scans it, proves who its owner is, and the desktop is signed in.
          </p>
          {signIn.error && <Failure error={signIn.error} />}
          <Row>
            <Button look="primary" busy={signIn.isPending} onClick={begin}>
              <MonitorSmartphone size={18} aria-hidden="true" />
              Show a code
            </Button>
          </Row>
        </>
      )}
    </Card>
  );
}

function Code({ waiting, onStop }: { readonly waiting: Waiting; readonly onStop: () => void }) {
  const { pairing, lost, refusal, before } = waiting;
  // This browser's clock may be ahead of the service's.
  const isOver = useCountdown(pairing.expiresAt) === 0;
  const ranOut = waiting.ranOut || isOver;
  return (
    <>
      <Scan text={pairing.qrPayload} label="Code to sign in with" stale={ranOut || lost !== undefined}>
        <p>
          {ranOut ? (
            'The code ran out. A new one is on its way.'
          ) : (
            <>
              Good for <Countdown until={pairing.expiresAt} />.
            </>
          )}
        </p>
      </Scan>
      {lost && (
        <Notice tone="warn">
          The connection to the service is lost, so do not scan this code now. It is opened again by itself.
        </Notice>
      )}
      {refusal && (
        <Notice tone="bad">
          A phone’s proof was refused: {refusal} The code is still good; scan it again.
        </Notice>
      )}
      <p role="status">
        {before > 0 && !ranOut && lost === undefined
          ? 'This is a new code, in place of the one that ran out. '
          : ''}
        Waiting for a phone.
      </p>
      <Row>
        <Button onClick={onStop}>Stop</Button>
      </Row>
    </>
  );
}
