import { qrTextOf } from '@svc/sdk';
import { ExternalLink } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ButtonAnchor } from '../../ui/forms/button';
import { CopyButton } from '../../ui/forms/copy';
import { Row, Stack } from '../../ui/layout/stack';
import { Notice } from '../../ui/layout/surface';
import { Countdown, useCountdown } from '../../ui/lists/time';
import { Stage } from '../../ui/stage/stage';
import type { ListedRegistration } from '../operations/api';
import { type FirstPairCode, nameOf } from './ceremony';
import style from './first-code.module.css';

interface About {
  readonly session: ListedRegistration;
  readonly another: ReactNode;
}

const wordsFor = (session: ListedRegistration) => ({
  code: `Code for the phone of ${nameOf(session)}`,
  number: '',
  connected: 'Phone connected',
  type: '',
  goOn: 'The person goes on with the phone. This takes a few seconds.',
  showCode: 'Not that phone? Show the code',
});

/** The first code of a registration, if this window has it and it has not expired. Gives way once a phone has taken it. */
export function FirstCode({ code, ...about }: About & { readonly code: FirstPairCode | undefined }) {
  if (about.session.state !== 'awaiting_device')
    return <Stage text={undefined} number={null} isConnected words={wordsFor(about.session)} />;
  if (code !== undefined) return <ActiveCode code={code} {...about} />;
  return (
    <Notice tone="warn" action={about.another}>
      The code is shown only in the window that started the registration. If that window is closed, start a
      new registration.
    </Notice>
  );
}

function ActiveCode({ session, another, code }: About & { readonly code: FirstPairCode }) {
  const hasExpired = useCountdown(code.expires_at) === 0;
  /** When somebody else’s phone opened the code, so that it came back. */
  const [dismissed, setDismissed] = useState<string>();
  const { phone_connected_at: openedAt } = session;
  const text = qrTextOf(code);
  const address = text.startsWith('https:') ? text : `/phone/#code=${encodeURIComponent(text)}`;
  return (
    <Stack gap={3} align="center">
      <Stage
        text={code.deeplink}
        url={text}
        number={null}
        isStale={hasExpired}
        isConnected={!hasExpired && openedAt !== undefined && openedAt !== dismissed}
        words={wordsFor(session)}
        onShowCode={() => setDismissed(openedAt)}
      >
        {!hasExpired && (
          <p className={style.left}>
            Expires in <Countdown until={code.expires_at} />
          </p>
        )}
      </Stage>
      {hasExpired ? (
        <Notice tone="warn" action={another}>
          The code expired before a phone scanned it. Start a new registration.
        </Notice>
      ) : (
        <Row>
          <ButtonAnchor small href={address} target="_blank" rel="noopener">
            <ExternalLink size={16} aria-hidden="true" />
            Open in this browser
          </ButtonAnchor>
          <CopyButton text={text} label="Copy the link" />
        </Row>
      )}
    </Stack>
  );
}
