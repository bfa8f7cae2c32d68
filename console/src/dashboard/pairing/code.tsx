import { qrTextOf } from '@svc/sdk';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { Button, ButtonAnchor } from '../../ui/forms/button';
import { CopyButton } from '../../ui/forms/copy';
import { Row } from '../../ui/layout/stack';
import { Notice } from '../../ui/layout/surface';
import { Countdown, useCountdown } from '../../ui/lists/time';
import { Stage } from '../../ui/stage/stage';
import style from './code.module.css';
import type { Waiting } from './waiting';

const WORDS = {
  code: 'Sign-in code',
  number: 'Type this number on the phone',
  connected: 'Phone connected',
  type: 'Type this number on the phone',
  goOn: 'Approve on the phone',
  showCode: 'Not that phone? Show the code',
};

/** The code, the number next to it, and how the wait is going. */
export function Code({ waiting, onStop }: { readonly waiting: Waiting; readonly onStop: () => void }) {
  const { pairing, lost, rejection, before, phones } = waiting;
  const { qrPayload, matchCode } = pairing;
  const [dismissed, setDismissed] = useState(0);
  // This browser's clock may be ahead of the service's.
  const isOver = useCountdown(pairing.expiresAt) === 0;
  const hasExpired = waiting.hasExpired || isOver;
  const isStale = hasExpired || lost !== undefined;
  const text = qrTextOf(pairing);
  const address = text.startsWith('https:') ? text : `/phone/#code=${encodeURIComponent(text)}`;
  const isConnected = phones > dismissed && !isStale && rejection === undefined;
  return (
    <div className={style.code}>
      <Stage
        text={qrPayload}
        url={text}
        number={matchCode ?? null}
        isStale={isStale}
        isConnected={isConnected}
        words={WORDS}
        onShowCode={() => setDismissed(phones)}
      >
        <p>
          <span role="status">
            {before > 0 && !isStale ? 'This is a new code because the previous one expired. ' : ''}
            {hasExpired
              ? 'The code has expired. Requesting a new one.'
              : isConnected
                ? 'Waiting for the number.'
                : 'Waiting for a phone.'}
          </span>{' '}
          {!hasExpired && (
            <span className={style.about}>
              Expires in <Countdown until={pairing.expiresAt} />
            </span>
          )}
        </p>
      </Stage>
      <Row>
        {!isStale && (
          <>
            <ButtonAnchor small href={address} target="_blank" rel="noopener">
              <ExternalLink size={16} aria-hidden="true" />
              Open in this browser
            </ButtonAnchor>
            <CopyButton text={text} label="Copy the link" />
          </>
        )}
        <Button onClick={onStop}>Stop</Button>
      </Row>
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
    </div>
  );
}
