import type { Recovery } from '@svc/sdk';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Notice, Row } from '../../ui/layout/surface';
import { Time, useCountdown } from '../../ui/lists/time';
import { Needs } from '../team/needs';
import { DecideRecovery, type Decision } from './decide';
import { remaining } from './remaining';

/** A recovery that is not completed yet, with what the account can do about it. */
export function RecoveryNotice({
  recovery,
  children,
}: {
  readonly recovery: Recovery;
  /** Whose it is, where the page doesn't say so. */
  readonly children?: ReactNode;
}) {
  const [decision, setDecision] = useState<Decision>();
  return (
    <>
      <Notice
        tone={recovery.held ? 'bad' : 'warn'}
        action={
          <Needs least="owner">
            <Row>
              {recovery.held && (
                <Button small onClick={() => setDecision('confirm')}>
                  Confirm the recovery
                </Button>
              )}
              <Button small onClick={() => setDecision('cancel')}>
                Stop the recovery
              </Button>
            </Row>
          </Needs>
        }
      >
        {children}
        {recovery.held ? <Held /> : <TakesOver at={recovery.completesAt} />}
      </Notice>
      {decision && (
        <DecideRecovery recovery={recovery} decision={decision} onClose={() => setDecision(undefined)} />
      )}
    </>
  );
}

const Held = () => (
  <>
    The recovery is on hold, because somebody objected with a phone that was revoked earlier. Ask the person,
    in a way that you trust, whether the new phone is theirs.
  </>
);

function TakesOver({ at }: { readonly at: string }) {
  const seconds = useCountdown(at);
  if (seconds === 0) return <>A new phone is taking over now.</>;
  return (
    <>
      A new phone takes over in <span role="timer">{remaining(seconds)}</span> (<Time at={at} />
      ). Then all earlier phones are revoked.
    </>
  );
}
