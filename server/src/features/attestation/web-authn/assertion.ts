import { hash } from 'node:crypto';
import { checkAuthenticatorData } from './authenticator-data.js';
import { checkClientData, type Place } from './client-data.js';
import { isSignedBy, readCoseKey } from './cose-key.js';
import { readBytes, reject } from './rejection.js';

/** A passkey's answer (`navigator.credentials.get`), in base64url. */
export interface Assertion {
  readonly authenticatorData: string;
  readonly clientDataJSON: string;
  readonly signature: string;
  readonly userHandle?: string;
}

/** A passkey as it is stored. */
export interface Passkey {
  readonly credentialId: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  readonly backupEligible: boolean;
}

/** What the caller stores with the use. */
export interface Used {
  readonly counter: number;
  readonly backedUp: boolean;
}

/** Random, and recognizable as a phone's: the first byte is `p`. */
function isPhone(handle: string): boolean {
  const bytes = readBytes(handle);
  return bytes[0] === 0x70 && bytes.length >= 16 && bytes.length <= 64;
}

/** Whether the library agrees. It has its own readers of everything. */
async function libraryAccepts(
  place: Place,
  key: Passkey,
  sent: Assertion,
  challenge: string,
): Promise<boolean> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { authenticatorData, clientDataJSON, signature } = sent;
  const { verified } = await verifyAuthenticationResponse({
    response: {
      ...{ id: key.credentialId, rawId: key.credentialId, type: 'public-key', clientExtensionResults: {} },
      response: { authenticatorData, clientDataJSON, signature },
    },
    expectedChallenge: challenge,
    expectedOrigin: place.origin,
    expectedRPID: place.rpId,
    // Zero: our own statement compares the counters.
    credential: {
      id: key.credentialId,
      publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')),
      counter: 0,
    },
    requireUserVerification: true,
  });
  return verified;
}

/** Checks that the person used this passkey on our page to sign that digest. @throws Rejection */
export async function checkAssertion(
  place: Place,
  key: Passkey,
  sent: Assertion,
  digest: Uint8Array,
): Promise<Used> {
  const challenge = Buffer.from(digest).toString('base64url');
  const clientData = checkClientData(sent.clientDataJSON, place, { type: 'webauthn.get', challenge });
  const bytes = readBytes(sent.authenticatorData);
  const { backupEligible, backedUp, counter } = checkAuthenticatorData(bytes, place, false);
  if (backupEligible !== key.backupEligible) return reject('backup eligibility');
  if (sent.userHandle !== undefined && !isPhone(sent.userHandle)) return reject('user handle');
  const signed = Buffer.concat([bytes, hash('sha256', clientData, 'buffer')]);
  const isSigned = isSignedBy(readCoseKey(readBytes(key.publicKey)), signed, readBytes(sent.signature));
  if (!isSigned || !(await libraryAccepts(place, key, sent, challenge))) return reject('signature');
  return { counter, backedUp };
}
