import { qrTextOf } from '@svc/sdk';
import { MatchNumber } from '../../ui/codes/match-number';
import { Scan } from '../../ui/codes/scan';
import { Button } from '../../ui/forms/button';
import { Notice, Row } from '../../ui/layout/surface';
import { Countdown, useCountdown } from '../../ui/lists/time';
import style from './code.module.css';
import type { Waiting } from './waiting';

/** The code, the number next to it, and how the wait is going. */
export function Code({ waiting, onStop }: { readonly waiting: Waiting; readonly onStop: () => void }) {
  const { pairing, lost, rejection, before } = waiting;
  const { matchCode } = pairing;
  // This browser's clock may be ahead of the service's.
  const isOver = useCountdown(pairing.expiresAt) === 0;
  const hasExpired = waiting.hasExpired || isOver;
  const isStale = hasExpired || lost !== undefined;
  return (
    <>
      <div className={style.code}>
        <Scan text={qrTextOf(pairing)} label="Sign-in code" stale={isStale} />
        <div className={style.side}>
          {matchCode !== undefined && <MatchNumber of={matchCode} />}
          <p className={style.about}>
            {hasExpired ? (
              'The code has expired. Requesting a new one.'
            ) : (
              <>
                Expires in <Countdown until={pairing.expiresAt} />.
                {matchCode !== undefined && ' The code changes every 10 seconds, the number stays.'}
              </>
            )}
          </p>
          <p role="status">
            {before > 0 && !isStale ? 'This is a new code because the previous one expired. ' : ''}
            Waiting for a phone.
          </p>
          <Row>
            <Button onClick={onStop}>Stop</Button>
          </Row>
        </div>
      </div>
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
    </>
  );
}
