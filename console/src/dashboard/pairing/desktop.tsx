import { MonitorSmartphone } from 'lucide-react';
import { Scan } from '../../ui/codes/scan';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Card, Notice, Row } from '../../ui/layout/surface';
import { Countdown, useCountdown } from '../../ui/lists/time';
import { SignedIn } from './signed-in';
import { useSignIn, type Waiting } from './use-sign-in';

/** Demonstrates a desktop's sign-in: it shows a code and waits until a phone proves who its owner is. */
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
            This page simulates a desktop. It shows a code. When a registered phone that is linked to your
            account scans the code and proves who its owner is, the desktop is signed in.
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
  const { pairing, lost, rejection, before } = waiting;
  // This browser's clock may be ahead of the service's.
  const isOver = useCountdown(pairing.expiresAt) === 0;
  const hasExpired = waiting.hasExpired || isOver;
  return (
    <>
      <Scan text={pairing.qrPayload} label="Code to sign in with" stale={hasExpired || lost !== undefined}>
        <p>
          {hasExpired ? (
            'The code has expired. Requesting a new one.'
          ) : (
            <>
              Expires in <Countdown until={pairing.expiresAt} />.
            </>
          )}
        </p>
      </Scan>
      {lost && (
        <Notice tone="warn">
          The connection to the service was lost. Do not scan this code until it reconnects automatically.
        </Notice>
      )}
      {rejection && (
        <Notice tone="bad">
          A phone’s proof was rejected: {rejection} The code is still valid. Scan it again.
        </Notice>
      )}
      <p role="status">
        {before > 0 && !hasExpired && lost === undefined
          ? 'This is a new code because the previous one expired. '
          : ''}
        Waiting for a phone.
      </p>
      <Row>
        <Button onClick={onStop}>Stop</Button>
      </Row>
    </>
  );
}
