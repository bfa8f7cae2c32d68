import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What a test changes about an answer. */
export interface Faults {
  /** The origin of the page. */
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** Another origin embeds the page. */
  readonly crossOrigin?: boolean | null;
  readonly topOrigin?: string;
  /** Instead of the client data. */
  readonly clientData?: string;
  /** False: nobody gave a PIN or a fingerprint. */
  readonly isVerified?: boolean;
  readonly isPresent?: boolean;
  readonly isSynced?: boolean;
  /** The flag of a copy. Default: as `isSynced`. */
  readonly isBackedUp?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | null;
  /** Default: `none`. */
  readonly format?: string;
  readonly statement?: ReadonlyMap<string, Cbor>;
}

interface CreationOptions {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
  readonly excludeCredentials: readonly { readonly id: string }[];
}

interface RequestOptions {
  readonly rpId: string;
  readonly challenge: string;
  readonly allowCredentials: readonly { readonly id: string }[];
}

interface Credential {
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly key: KeyObject;
  readonly alg: Algorithm;
  counter: number;
}

type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

/** CBOR (RFC 8949) of what an authenticator says. Maps must have their keys in canonical order. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  const entries = [...(value as ReadonlyMap<number | string, Cbor>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, of]) => [cbor(key), cbor(of)])]);
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
const text = (bytes: Buffer) => bytes.toString('base64url');

export type Algorithm = 'ES256' | 'RS256' | 'EdDSA';

const newKeyPair = (alg: Algorithm) =>
  alg === 'RS256'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : alg === 'EdDSA'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** A COSE key (RFC 9053). */
function coseKey(key: KeyObject, alg: Algorithm): Buffer {
  const { x, y, n, e } = key.export({ format: 'jwk' });
  const at = (part: string | undefined) => Buffer.from(part as string, 'base64url');
  if (alg === 'RS256')
    return cbor(
      new Map<number, Cbor>([
        [1, 3],
        [3, -257],
        [-1, at(n)],
        [-2, at(e)],
      ]),
    );
  if (alg === 'EdDSA')
    return cbor(
      new Map<number, Cbor>([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, at(x)],
      ]),
    );
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, at(x)],
      [-3, at(y)],
    ]),
  );
}

/** An authenticator in software, with the browser in front of it. It has discoverable credentials and makes no attestation. */
export class Authenticator {
  readonly #credentials: Credential[] = [];
  readonly #origin: string;
  readonly #isSynced: boolean;
  readonly #alg: Algorithm;

  constructor({
    origin = 'http://localhost:3000',
    isSynced = false,
    alg = 'ES256' as Algorithm,
  }: { readonly origin?: string; readonly isSynced?: boolean; readonly alg?: Algorithm } = {}) {
    this.#alg = alg;
    this.#origin = origin;
    this.#isSynced = isSynced;
  }

  /** `navigator.credentials.create` */
  create(options: CreationOptions, faults: Faults = {}) {
    if (options.excludeCredentials.some(({ id }) => this.#credentials.some((own) => own.id === id)))
      throw new Error('InvalidStateError');
    const { privateKey, publicKey } = newKeyPair(this.#alg);
    const id = randomBytes(32);
    const credential: Credential = {
      ...{ id: text(id), rpId: options.rp.id, userHandle: options.user.id },
      ...{ key: privateKey, alg: this.#alg, counter: this.#isSynced ? 0 : 1 },
    };
    this.#credentials.push(credential);
    const attested = [
      Buffer.alloc(16),
      Buffer.from([id.length >> 8, id.length & 255]),
      id,
      coseKey(publicKey, this.#alg),
    ];
    const authData = Buffer.concat([this.#data(credential, faults, 0x40), ...attested]);
    const attestation = new Map<string, Cbor>([
      ['fmt', faults.format ?? 'none'],
      ['attStmt', faults.statement ?? new Map()],
      ['authData', authData],
    ]);
    return {
      ...this.#common(credential),
      response: {
        clientDataJSON: text(this.#clientData('webauthn.create', options.challenge, faults)),
        attestationObject: text(cbor(attestation)),
        transports: ['internal'],
      },
    };
  }

  /** What another authenticator needs to have the newest credential too: a phone beside a browser, for instance. */
  export() {
    const credential = this.#credentials.at(-1);
    if (credential === undefined) throw new Error('no credential was created');
    const { id, rpId, userHandle, key, counter } = credential;
    return { id, rpId, userHandle, counter, pkcs8: key.export({ format: 'der', type: 'pkcs8' }) };
  }

  /** `navigator.credentials.get` */
  get(options: RequestOptions, faults: Faults = {}) {
    const allowed = new Set(options.allowCredentials.map(({ id }) => id));
    const credential = this.#credentials.findLast(
      ({ id, rpId }) =>
        (rpId === options.rpId || faults.rpId !== undefined) && (allowed.size === 0 || allowed.has(id)),
    );
    if (credential === undefined) throw new Error('NotAllowedError');
    if (!this.#isSynced) credential.counter += 1;
    const authData = this.#data(credential, faults);
    const clientData = this.#clientData('webauthn.get', options.challenge, faults);
    const signed = Buffer.concat([authData, sha256(clientData)]);
    const userHandle = faults.userHandle === undefined ? credential.userHandle : faults.userHandle;
    return {
      ...this.#common(credential),
      response: {
        clientDataJSON: text(clientData),
        authenticatorData: text(authData),
        signature: text(sign(credential.alg === 'EdDSA' ? null : 'sha256', signed, credential.key)),
        ...(userHandle !== null && { userHandle }),
      },
    };
  }

  #common({ id }: Credential) {
    return {
      ...{ id, rawId: id, type: 'public-key', authenticatorAttachment: 'platform' },
      clientExtensionResults: {},
    };
  }

  #clientData(type: string, challenge: string, faults: Faults): Buffer {
    const { origin = this.#origin, crossOrigin = false, topOrigin, clientData } = faults;
    if (clientData !== undefined) return Buffer.from(clientData);
    const named = {
      type: faults.type ?? type,
      challenge: faults.challenge ?? challenge,
      origin,
      crossOrigin,
    };
    const data = { ...named, ...(topOrigin !== undefined && { topOrigin }) };
    return Buffer.from(JSON.stringify(data));
  }

  #data(credential: Credential, faults: Faults, more = 0): Buffer {
    const { isPresent = true, isVerified = true, isSynced = this.#isSynced, rpId = credential.rpId } = faults;
    const { isBackedUp = isSynced } = faults;
    const backup = (isSynced ? 0x08 : 0) | (isBackedUp ? 0x10 : 0);
    const flags = (isPresent ? 0x01 : 0) | (isVerified ? 0x04 : 0) | backup | more;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(faults.counter ?? credential.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  }
}
