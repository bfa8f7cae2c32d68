import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

/** A passkey in software: a P-256 key that "unlocking" always succeeds with. It is not synced, and its counter rises with each use. */
export interface SoftwarePasskey {
  /** In base64url, as `userHandle`. */
  readonly credentialId: string;
  readonly userHandle: string;
  /** PKCS #8 in base64url. */
  readonly privateKey: string;
  readonly counter: number;
  /** What shows its public key, until it is enrolled. */
  readonly creation?: Creation;
}

/** What `navigator.credentials.create` returns, in base64url. */
export interface Creation {
  readonly attestationObject: string;
  readonly clientDataJSON: string;
}

/** Whether a value of the phone's file is a passkey. */
export const isPasskey = ({ credentialId, userHandle, privateKey, counter }: SoftwarePasskey): boolean =>
  [credentialId, userHandle, privateKey].every((part) => typeof part === 'string') &&
  Number.isSafeInteger(counter);

/** What a browser and its authenticator can get wrong about one answer. */
export interface PasskeyFault {
  readonly origin?: string;
  readonly rpId?: string;
  /** The challenge in base64url, from the right one. */
  readonly challenge?: (challenge: string) => string;
  /** Another origin embeds the page. */
  readonly crossOrigin?: true;
  /** Nobody unlocked the authenticator. */
  readonly isUnverified?: true;
  /** Signs with the key of another passkey. */
  readonly otherKey?: true;
  /** Instead of the next one. */
  readonly counter?: number;
}

/** The page that a passkey is used on. */
export interface Page {
  readonly origin: string;
  readonly rpId: string;
}

export const pageOf = (baseUrl: string): Page => {
  const { origin, hostname } = new URL(baseUrl);
  return { origin, rpId: hostname };
};

/** Of a new passkey. Zero would mean that it does not count. */
export const FIRST_COUNTER = 1;

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };
/** The first byte of the handles of phones. */
const PHONE = 'p';

const base64url = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const keyOf = ({ privateKey }: SoftwarePasskey): KeyObject =>
  createPrivateKey({ key: Buffer.from(privateKey, 'base64url'), format: 'der', type: 'pkcs8' });

/** The public key in COSE (RFC 9053), for ES256. */
function coseOf(privateKey: KeyObject): Buffer {
  const { x, y } = createPublicKey(privateKey).export({ format: 'jwk' });
  const part = (text: string | undefined) => Buffer.from(text as string, 'base64url');
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    part(x),
    Buffer.from('225820', 'hex'),
    part(y),
  ]);
}

function authenticatorData({ rpId }: Page, counter: number, flags: number, attested = Buffer.alloc(0)) {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested]);
}

const clientData = (type: string, challenge: string, origin: string, crossOrigin = false): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));

/** `{ fmt: "none", attStmt: {}, authData }` in CBOR. The data of a new P-256 passkey has less than 256 bytes. */
function attestationObject(authData: Buffer): Buffer {
  const before = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex');
  return Buffer.concat([before, Buffer.from([authData.length]), authData]);
}

/** `navigator.credentials.create`: a new passkey for a page, with its own random challenge. */
export function createPasskey(page: Page): SoftwarePasskey & { readonly creation: Creation } {
  const privateKey = newKey();
  const id = randomBytes(32);
  const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseOf(privateKey)]);
  const flags = FLAGS.present | FLAGS.verified | FLAGS.attested;
  return {
    credentialId: base64url(id),
    userHandle: base64url(Buffer.concat([Buffer.from(PHONE), randomBytes(16)])),
    privateKey: base64url(privateKey.export({ format: 'der', type: 'pkcs8' })),
    counter: FIRST_COUNTER,
    creation: {
      attestationObject: base64url(
        attestationObject(authenticatorData(page, FIRST_COUNTER, flags, attested)),
      ),
      clientDataJSON: base64url(clientData('webauthn.create', base64url(randomBytes(32)), page.origin)),
    },
  };
}

/** `navigator.credentials.get`: signs a digest, and returns the passkey with its next counter. */
export function usePasskey(
  page: Page,
  passkey: SoftwarePasskey,
  digest: Uint8Array,
  fault: PasskeyFault = {},
) {
  const used = { ...passkey, counter: passkey.counter + 1 };
  const { origin = page.origin, rpId = page.rpId, counter = used.counter } = fault;
  const right = base64url(Buffer.from(digest));
  const challenge = fault.challenge?.(right) ?? right;
  const data = clientData('webauthn.get', challenge, origin, fault.crossOrigin);
  const flags = FLAGS.present | (fault.isUnverified ? 0 : FLAGS.verified);
  const authData = authenticatorData({ origin, rpId }, counter, flags);
  const signature = sign(
    'sha256',
    Buffer.concat([authData, sha256(data)]),
    fault.otherKey ? newKey() : keyOf(passkey),
  );
  const assertion = {
    authenticatorData: base64url(authData),
    clientDataJSON: base64url(data),
    signature: base64url(signature),
    userHandle: passkey.userHandle,
  };
  return { passkey: used, assertion };
}
