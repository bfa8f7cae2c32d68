import type { Operations } from '@svc/sdk';
import { fromBase64url, toBase64url } from '../../ui/base64url';

type CreationOptions = Operations['consoleStartPasskey']['reply']['options'];
type RequestOptions = Operations['consoleStartStepUp']['reply']['options'];
export type NewPasskey = Operations['consoleAddPasskey']['body']['credential'];
export type UsedPasskey = Operations['consoleOpenPasskeySession']['body']['credential'];

/** Why the browser made or used no passkey, in words for its reader. */
class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
}

export const supportsPasskeys = (): boolean => typeof PublicKeyCredential === 'function';

/** Whether the browser lists passkeys among its suggestions for a field. */
export const suggestsPasskeys = async (): Promise<boolean> =>
  supportsPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

/** Makes a passkey. The browser asks the reader. @throws PasskeyError */
export async function createPasskey(options: CreationOptions): Promise<NewPasskey> {
  const { challenge, user, excludeCredentials, pubKeyCredParams } = options;
  const publicKey = {
    ...options,
    challenge: fromBase64url(challenge),
    user: { ...user, id: fromBase64url(user.id) },
    excludeCredentials: described(excludeCredentials),
    pubKeyCredParams: pubKeyCredParams.map(({ alg }) => ({ type: 'public-key' as const, alg })),
  } as PublicKeyCredentialCreationOptions;
  const made = await explained(() => navigator.credentials.create({ publicKey }));
  const response = made.response as AuthenticatorAttestationResponse;
  return {
    ...common(made),
    response: {
      clientDataJSON: toBase64url(response.clientDataJSON),
      attestationObject: toBase64url(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  };
}

/** Uses a passkey. The browser asks the reader immediately, or suggests it in a field. @throws PasskeyError */
export async function getPasskey(
  options: RequestOptions,
  how: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<UsedPasskey> {
  const { challenge, allowCredentials } = options;
  const publicKey = {
    ...options,
    challenge: fromBase64url(challenge),
    allowCredentials: described(allowCredentials),
  } as PublicKeyCredentialRequestOptions;
  const used = await explained(() => navigator.credentials.get({ ...how, publicKey }));
  const response = used.response as AuthenticatorAssertionResponse;
  return {
    ...common(used),
    response: {
      clientDataJSON: toBase64url(response.clientDataJSON),
      authenticatorData: toBase64url(response.authenticatorData),
      signature: toBase64url(response.signature),
      userHandle: response.userHandle && toBase64url(response.userHandle),
    },
  };
}

const described = (credentials: RequestOptions['allowCredentials']) =>
  credentials.map(({ id, transports }) => ({
    type: 'public-key' as const,
    id: fromBase64url(id),
    // The browser ignores those that it does not know.
    transports: transports as AuthenticatorTransport[],
  }));

const common = ({ id, rawId }: PublicKeyCredential) => ({
  id,
  rawId: toBase64url(rawId),
  type: 'public-key' as const,
});

/** What browsers say when nothing came of it. They don’t tell why a reader said no. */
const MESSAGES: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used. The request was cancelled or took too long. Try again.',
  InvalidStateError: 'There already is a passkey of yours on this device. You can use it.',
};

async function explained(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    return (await ask()) as PublicKeyCredential;
  } catch (cause) {
    const name = cause instanceof DOMException ? cause.name : '';
    throw new PasskeyError(MESSAGES[name] ?? 'This browser can’t use a passkey here.', { cause });
  }
}
