import { qrTextOf } from '@svc/sdk';
import type { ReactNode } from 'react';
import { Scan } from '../../ui/codes/scan';
import { Notice } from '../../ui/layout/surface';
import { Countdown, useCountdown } from '../../ui/lists/time';
import type { ListedRegistration } from '../api';
import { type FirstPairCode, nameOf } from './ceremony';

interface About {
  readonly session: ListedRegistration;
  readonly another: ReactNode;
}

/** The first code of a registration, if this window has it and it has not expired. */
export const FirstCode = ({ code, ...about }: About & { readonly code: FirstPairCode | undefined }) =>
  code === undefined ? (
    <Notice tone="warn" action={about.another}>
      The code is shown only in the window that started the registration. If that window is closed, start a
      new registration.
    </Notice>
  ) : (
    <ActiveCode code={code} {...about} />
  );

function ActiveCode({ session, another, code }: About & { readonly code: FirstPairCode }) {
  const hasExpired = useCountdown(code.expires_at) === 0;
  return (
    <>
      <Scan text={qrTextOf(code)} label={`Code for the phone of ${nameOf(session)}`} stale={hasExpired}>
        {!hasExpired && (
          <p>
            Expires in <Countdown until={code.expires_at} />.
          </p>
        )}
      </Scan>
      {hasExpired && (
        <Notice tone="warn" action={another}>
          The code expired before a phone scanned it. Start a new registration.
        </Notice>
      )}
    </>
  );
}
