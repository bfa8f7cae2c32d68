import { isSvcError } from '@svc/sdk';
import { KeySquare } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSending } from '../../light/use-sending';
import { Button } from '../../ui/forms/button';
import { getPasskey, suggestsPasskeys, supportsPasskeys, type UsedPasskey } from '../operations/webauthn';
import { type Opened, openWithPasskey, startPasskeySession } from './open-with-passkey';
import { PasskeyFailure } from './passkey-failure';
import { svc } from './svc';

/** Options can be answered for five minutes. */
const RENEW_MS = 4 * 60_000;

/** A button to log in with a passkey. The browser also suggests passkeys in the field for the e-mail. */
export function PasskeyLogIn({ onLoggedIn }: { readonly onLoggedIn: (opened: Opened) => Promise<void> }) {
  const { mutate, isPending, error } = useSending({
    mutationFn: (suggested: UsedPasskey | undefined) => openWithPasskey(svc, suggested),
    onSuccess: onLoggedIn,
  });
  // Nearly all browsers do, so the button is in the page that the build renders.
  const [isSupported, setSupported] = useState(true);
  useEffect(() => setSupported(supportsPasskeys()), []);
  const isRejected = isSvcError(error);
  // A browser asks one thing at a time, so the suggestions end while a passkey is used. One that was rejected is not suggested again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `mutate` is another function in each render
  useEffect(() => {
    if (isPending || isRejected) return;
    const ending = new AbortController();
    suggest(ending.signal).then(
      (credential) => credential && mutate(credential),
      // The button and the password still work.
      () => undefined,
    );
    return () => ending.abort();
  }, [isPending, isRejected]);
  if (!isSupported) return null;
  return (
    <>
      {error !== undefined && <PasskeyFailure error={error} />}
      <Button busy={isPending} onClick={() => mutate(undefined)}>
        <KeySquare size={16} aria-hidden="true" />
        Use a passkey
      </Button>
    </>
  );
}

/** Has the browser suggest passkeys until the reader chooses one. */
async function suggest(ended: AbortSignal): Promise<UsedPasskey | undefined> {
  if (!(await suggestsPasskeys())) return undefined;
  while (!ended.aborted) {
    const options = await startPasskeySession(svc, ended);
    const renewal = AbortSignal.timeout(RENEW_MS);
    try {
      const signal = AbortSignal.any([ended, renewal]);
      return await getPasskey(options, { mediation: 'conditional', signal });
    } catch (error) {
      if (!renewal.aborted) throw error;
    }
  }
  return undefined;
}
