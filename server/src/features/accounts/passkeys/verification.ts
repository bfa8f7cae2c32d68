import type { Static } from 'typebox';
import type { Deps } from '../../../http/deps.js';
import { spendChallenge } from './challenges.js';
import type { Purpose, Subject } from './challenges.store.js';
import type { AuthenticationCredential, RegistrationCredential } from './passkeys.schema.js';
import type { PasskeyRow } from './passkeys.store.js';
import { ALGORITHMS, relyingParty } from './relying-party.js';

type VerificationDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

/** What the log says of a rejected credential. */
export interface Rejected {
  readonly rejected: string;
}

/** What the authenticator says about a new passkey. */
export interface Made {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly isSynced: boolean;
}

const rejectionOf = (error: unknown): Rejected => ({
  rejected: error instanceof Error ? error.message : 'malformed',
});

/** The challenge that a browser says it answered. Undefined if a page of another origin embedded ours. */
function challengeOf(clientDataJSON: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    const { challenge, crossOrigin } = data as { challenge?: unknown; crossOrigin?: unknown };
    return typeof challenge === 'string' && crossOrigin !== true ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** The fields that every credential has. Extensions change nothing here. */
const envelopeOf = ({
  id,
  rawId,
  type,
}: Pick<Static<typeof AuthenticationCredential>, 'id' | 'rawId' | 'type'>) => ({
  ...{ id, rawId, type },
  clientExtensionResults: {},
});

/** Spends the challenge of an answer. Undefined if it cannot be answered, or not for this. */
export async function spendAnswered(
  deps: VerificationDeps,
  clientDataJSON: string,
  of: { readonly purpose: Purpose; readonly subject: Subject },
): Promise<string | undefined> {
  const challenge = challengeOf(clientDataJSON);
  return challenge !== undefined && (await spendChallenge(deps, challenge, of)) ? challenge : undefined;
}

/** Checks the answer to registration options. */
export async function verifyRegistration(
  deps: VerificationDeps,
  of: { readonly purpose: 'register' | 'join'; readonly subject: NonNullable<Subject> },
  credential: Static<typeof RegistrationCredential>,
): Promise<Made | Rejected> {
  const { clientDataJSON, attestationObject } = credential.response;
  const challenge = await spendAnswered(deps, clientDataJSON, of);
  if (challenge === undefined) return { rejected: 'challenge' };
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { id, origin } = relyingParty(deps.config);
  try {
    if (!(await hasNoCertificate(attestationObject))) return { rejected: 'attestation with a certificate' };
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...envelopeOf(credential), response: { clientDataJSON, attestationObject } },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return { rejected: 'attestation' };
    const { credential: made, credentialDeviceType } = registrationInfo;
    // The client chose this id, which is not signed.
    if (made.id !== credential.id) return { rejected: 'another id' };
    return {
      credentialId: made.id,
      publicKey: Buffer.from(made.publicKey).toString('base64url'),
      counter: made.counter,
      isSynced: credentialDeviceType === 'multiDevice',
    };
  } catch (error) {
    return rejectionOf(error);
  }
}

/** We ask for no attestation. Certificates could name addresses that the library would fetch revocation lists from. */
async function hasNoCertificate(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

/** Checks a signature of this passkey. Returns its counter, which the caller compares when it stores it. */
export async function verifyAssertion(
  deps: Pick<Deps, 'config'>,
  challenge: string,
  { credential_id, public_key, is_synced }: PasskeyRow,
  credential: Static<typeof AuthenticationCredential>,
): Promise<{ readonly counter: number } | Rejected> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { clientDataJSON, authenticatorData, signature } = credential.response;
  const { id, origin } = relyingParty(deps.config);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...envelopeOf(credential), response: { clientDataJSON, authenticatorData, signature } },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      // Zero: our own statement compares the counters.
      credential: {
        id: credential_id,
        publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')),
        counter: 0,
      },
      requireUserVerification: true,
    });
    if (!verified) return { rejected: 'signature' };
    const isSynced = authenticationInfo.credentialDeviceType === 'multiDevice';
    return isSynced === is_synced
      ? { counter: authenticationInfo.newCounter }
      : { rejected: 'backup eligibility' };
  } catch (error) {
    return rejectionOf(error);
  }
}
