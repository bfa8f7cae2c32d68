import { hash } from 'node:crypto';
import { type Assertion, checkAssertion, type Passkey, type Used } from './assertion.js';
import { checkAuthenticatorData } from './authenticator-data.js';
import { type CborMap, fieldsOf, readCbor } from './cbor.js';
import { checkClientData, type Place } from './client-data.js';
import { ALGORITHMS, type CoseKey, isSignedBy, readCoseKey } from './cose-key.js';
import { malformed, readBytes, reject } from './rejection.js';

/** A new passkey, in base64url, with an assertion by it over the digest of its enrolment. */
export interface Evidence {
  readonly attestationObject: string;
  readonly clientDataJSON: string;
  readonly assertion: Assertion;
}

export type NewPasskey = Passkey & Used;

/**
 * Judges the format of an attestation. It accepts no certificates: none is needed for level 2, and they could name addresses that the
 * library would fetch revocation lists from.
 */
function checkStatement(object: CborMap, publicKey: CoseKey, signed: Buffer): void {
  const statement = object.get('attStmt');
  if (!(statement instanceof Map)) malformed('attestation');
  const fields = statement as CborMap;
  const isNone = object.get('fmt') === 'none';
  if (isNone && fields.size > 0) reject('attestation');
  if (isNone) return;
  if (object.get('fmt') !== 'packed' || fields.has('x5c')) reject('attestation format');
  const signature = fieldsOf(fields, ['alg', 'sig']).get('sig');
  const isOwn = fields.get('alg') === publicKey.alg && Buffer.isBuffer(signature);
  if (!isOwn || !isSignedBy(publicKey, signed, signature)) reject('attestation');
}

async function libraryAccepts(place: Place, id: string, sent: Evidence): Promise<boolean> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { attestationObject, clientDataJSON } = sent;
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
      response: { attestationObject, clientDataJSON },
    },
    // Its own, which is random.
    expectedChallenge: () => true,
    expectedOrigin: place.origin,
    expectedRPID: place.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: Object.values(ALGORITHMS),
  });
  return verified && registrationInfo.credential.id === id;
}

/** Checks a passkey that was made on our page, and that the sender has it. @throws Rejection */
export async function checkEvidence(place: Place, sent: Evidence, digest: Uint8Array): Promise<NewPasskey> {
  const expected = { type: 'webauthn.create', challenge: undefined } as const;
  const clientData = checkClientData(sent.clientDataJSON, place, expected);
  const object = fieldsOf(readCbor(readBytes(sent.attestationObject)), ['fmt', 'attStmt', 'authData']);
  const authData = object.get('authData');
  if (!Buffer.isBuffer(authData)) return malformed('attestation');
  const made = checkAuthenticatorData(authData, place, true);
  if (made.attested === undefined) return malformed('attestation');
  const { credentialId, publicKey } = made.attested;
  const signed = Buffer.concat([authData, hash('sha256', clientData, 'buffer')]);
  checkStatement(object, readCoseKey(publicKey), signed);
  const key = {
    credentialId: credentialId.toString('base64url'),
    publicKey: publicKey.toString('base64url'),
    backupEligible: made.backupEligible,
  };
  if (!(await libraryAccepts(place, key.credentialId, sent))) return reject('attestation');
  const used = await checkAssertion(place, key, sent.assertion, digest);
  const hasRisen = used.counter > made.counter || (used.counter === 0 && made.counter === 0);
  return hasRisen || made.backupEligible ? { ...key, ...used } : reject('counter');
}
