import { MonitorSmartphone } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { Row } from '../../ui/layout/stack';
import { Needs } from '../nouns/members/needs';
import { Code } from './code';
import { NotSignedIn } from './not-signed-in';
import { SignedIn } from './signed-in';
import { useSignIn } from './use-sign-in';

/** Demonstrates a desktop's sign-in: it shows a code and waits until a phone proves who its owner is. */
export function Desktop() {
  const { signIn, waiting, stop } = useSignIn();
  const begin = () => signIn.mutate();
  return (
    <Panel title="Sign in on a computer">
      {waiting !== undefined ? (
        <Code waiting={waiting} onStop={stop} />
      ) : signIn.data !== undefined ? (
        <SignedIn bound={signIn.data} onAgain={begin} />
      ) : (
        <>
          <p>
            This page simulates a computer. It shows a code and a number. When a registered phone scans the
            code, and its owner types the number and approves, the computer is signed in.
          </p>
          {signIn.error && <NotSignedIn error={signIn.error} />}
          <Needs least="developer">
            <Row>
              <Button look="primary" busy={signIn.isPending} onClick={begin}>
                <MonitorSmartphone size={18} aria-hidden="true" />
                Show a code
              </Button>
            </Row>
          </Needs>
        </>
      )}
    </Panel>
  );
}
