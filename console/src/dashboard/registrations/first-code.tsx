import type { RegistrationSession } from '@svc/sdk';
import type { ReactNode } from 'react';
import { Scan } from '../../ui/codes/scan';
import { Notice } from '../../ui/layout/surface';
import { Countdown, useCountdown } from '../../ui/lists/time';
import { nameOf, type Shown } from './ceremony';

interface About {
  readonly session: RegistrationSession;
  /** What opens a new registration in the place of this one. */
  readonly another: ReactNode;
}

/** The code that begins a ceremony, where this window has it and it is still good. */
export const FirstCode = ({ code, ...about }: About & { readonly code: Shown | undefined }) =>
  code === undefined ? (
    <Notice tone="warn" action={about.another}>
      The code is shown only in the window that opened the registration. If that window is gone, open a new
      one in its place.
    </Notice>
  ) : (
    <LivingCode code={code} {...about} />
  );

function LivingCode({ session, another, code }: About & { readonly code: Shown }) {
  const ranOut = useCountdown(code.expires_at) === 0;
  return (
    <>
      <Scan text={code.deeplink} label={`Code for the phone of ${nameOf(session)}`} stale={ranOut}>
        {!ranOut && (
          <p>
            Good for <Countdown until={code.expires_at} />.
          </p>
        )}
      </Scan>
      {ranOut && (
        <Notice tone="warn" action={another}>
          The code ran out before a phone scanned it. Open a new registration in its place.
        </Notice>
      )}
    </>
  );
}
