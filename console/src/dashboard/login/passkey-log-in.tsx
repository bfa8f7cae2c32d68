import { isSvcError, type Operations } from '@svc/sdk';
import { KeySquare } from 'lucide-react';
import { useEffect } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { useSending } from '../../ui/forms/use-sending';
import { Notice } from '../../ui/layout/surface';
import { svc } from '../api';
import { getPasskey, suggestsPasskeys, supportsPasskeys, type UsedPasskey } from '../passkeys/webauthn';

type Opened = Operations['consoleOpenPasskeySession']['reply'];

/** Options can be answered for five minutes. */
const RENEW_MS = 4 * 60_000;

const startSession = async (signal?: AbortSignal) =>
  (await svc.request('consoleStartPasskeySession', {}, { signal })).options;

/** Logs this browser in with a passkey, which the browser asks for unless it was chosen. */
export async function openWithPasskey(suggested?: UsedPasskey): Promise<Opened> {
  const credential = suggested ?? (await getPasskey(await startSession()));
  return svc.request('consoleOpenPasskeySession', { body: { credential } });
}

/** A button to log in with a passkey. The browser also suggests passkeys in the field for the e-mail. */
export function PasskeyLogIn({ onLoggedIn }: { readonly onLoggedIn: (opened: Opened) => Promise<void> }) {
  const { mutate, isPending, error } = useSending({
    mutationFn: (suggested: UsedPasskey | undefined) => openWithPasskey(suggested),
    onSuccess: onLoggedIn,
  });
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
  if (!supportsPasskeys()) return null;
  return (
    <>
      {error && <PasskeyFailure error={error} />}
      <Button busy={isPending} onClick={() => mutate(undefined)}>
        <KeySquare size={16} aria-hidden="true" />
        Use a passkey
      </Button>
    </>
  );
}

/** The service rejects the passkeys of people who were removed, and those that were removed, in the words of a wrong password. */
export const PasskeyFailure = ({ error }: { readonly error: unknown }) =>
  isSvcError(error, 'invalid_credentials') ? (
    <Notice tone="bad">This passkey doesn’t work here any more. Log in with your password.</Notice>
  ) : (
    <Failure error={error} />
  );

/** Has the browser suggest passkeys until the reader chooses one. */
async function suggest(ended: AbortSignal): Promise<UsedPasskey | undefined> {
  if (!(await suggestsPasskeys())) return undefined;
  while (!ended.aborted) {
    const options = await startSession(ended);
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
