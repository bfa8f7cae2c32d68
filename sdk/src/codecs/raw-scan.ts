import type { Groth16Proof } from '../generated/api.js';
import { SvcError } from '../transport/errors.js';
import { gunzip, gzip } from '../transport/gzip.js';
import { fromBase64url, toBase64url } from './base64url.js';
import { type CborValue, decodeCbor, encodeCbor } from './cbor.js';

/** The content of a `rawScan`: what a phone submits to a pairing, stored for the record. The service doesn't parse it. */
export interface RawScan {
  /** The pairing session's UUID. */
  readonly sessionId: string;
  readonly proof: Groth16Proof;
  readonly publicSignals: readonly [string, string, string];
  readonly did: string;
  readonly clientMeta: {
    readonly appVersion?: string;
    readonly platform?: string;
    readonly model?: string;
    /** How long proving took, in milliseconds. */
    readonly proofMs?: number;
    readonly deviceAttestationVerdict?: string;
  };
}

const PREFIX = 'za:proof:1:';
/** The limit of QR codes and of the service. */
const MAX_CHARACTERS = 1500;
/** Several times the unpacked size of the longest scan. */
const MAX_BYTES = 8192;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DID = /^did:svc:[0-9a-f]{1,128}$/i;
const NUMBER = /^(?:0|[1-9][0-9]{0,77})$/;
/** The short keys of `clientMeta`. */
const META = {
  av: 'appVersion',
  pl: 'platform',
  md: 'model',
  ms: 'proofMs',
  pi: 'deviceAttestationVerdict',
} as const;

type Fields = { readonly [key: string]: CborValue };

/**
 * `za:proof:1:` and the base64url of the gzip of the CBOR with the contract's short keys.
 * @throws SvcError `malformed_payload` if a part has the wrong form, or the result has over 1,500 characters
 */
export async function encodeRawScan(scan: RawScan): Promise<string> {
  const text = PREFIX + toBase64url(await gzip(rawScanBytes(scan)));
  if (text.length > MAX_CHARACTERS)
    throw malformed(`it has ${text.length} characters, and at most ${MAX_CHARACTERS} are allowed`);
  return text;
}

/**
 * Parses a scan written by `encodeRawScan` or another client. Stops unpacking after 8 KiB.
 * @throws SvcError `malformed_payload`
 */
export async function decodeRawScan(text: string): Promise<RawScan> {
  if (typeof text !== 'string' || !text.startsWith(PREFIX) || text.length > MAX_CHARACTERS)
    throw malformed(`it must begin with ${PREFIX} and have at most ${MAX_CHARACTERS} characters`);
  const packed = fromBase64url(text.slice(PREFIX.length));
  if (packed === undefined) throw malformed('it is not base64url');
  let value: CborValue;
  try {
    value = decodeCbor(await gunzip(packed, MAX_BYTES));
  } catch (cause) {
    throw malformed(cause instanceof RangeError ? cause.message : 'it does not unpack to CBOR', cause);
  }
  return fromFields(fieldsOf(value, ['s', 'p', 'ps', 'd', 'm'], 'it'));
}

/** @internal The CBOR of a scan. It is deterministic, unlike its gzip. */
export function rawScanBytes(scan: RawScan): Uint8Array<ArrayBuffer> {
  const { sessionId, proof, publicSignals, did, clientMeta } = scan;
  const { pi_a: a, pi_b: b, pi_c: c, protocol, curve } = proof;
  const m = Object.fromEntries(
    Object.entries(META).flatMap(([short, long]) => {
      const value = clientMeta[long];
      return value === undefined ? [] : [[short, value] as const];
    }),
  );
  const fields: Fields = { s: sessionId, p: { a, b, c, protocol, curve }, ps: publicSignals, d: did, m };
  fromFields(fields);
  return new Uint8Array(encodeCbor(fields));
}

function fromFields({ s, p, ps, d, m }: Fields): RawScan {
  const { a, b, c, protocol, curve } = fieldsOf(p, ['a', 'b', 'c', 'protocol', 'curve'], 'its proof');
  if (protocol !== 'groth16' || curve !== 'bn128') throw malformed('its proof is not groth16 over bn128');
  return {
    sessionId: textOf(s, UUID, 'session'),
    proof: {
      pi_a: numbersOf(a, 3) as Groth16Proof['pi_a'],
      pi_b: itemsOf(b, 3).map((pair) => numbersOf(pair, 2)) as readonly unknown[] as Groth16Proof['pi_b'],
      pi_c: numbersOf(c, 3) as Groth16Proof['pi_c'],
      protocol,
      curve,
    },
    publicSignals: numbersOf(ps, 3) as readonly [string, string, string],
    did: textOf(d, DID, 'DID'),
    clientMeta: metaOf(m),
  };
}

function metaOf(value: CborValue | undefined): RawScan['clientMeta'] {
  const entries = Object.entries(fieldsOf(value, Object.keys(META), 'its clientMeta', false));
  return Object.fromEntries(
    entries.map(([short, item]) => {
      if (typeof item !== (short === 'ms' ? 'number' : 'string'))
        throw malformed(`its ${short} has the wrong type`);
      return [META[short as keyof typeof META], item];
    }),
  );
}

function fieldsOf(value: CborValue | undefined, keys: readonly string[], what: string, all = true): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed(`${what} is not an object`);
  const present = Object.keys(value);
  if (present.some((key) => !keys.includes(key)) || (all && present.length !== keys.length))
    throw malformed(`${what} ${all ? 'must' : 'may only'} have the fields ${keys.join(', ')}`);
  return value as Fields;
}

function itemsOf(value: CborValue | undefined, length: number): readonly CborValue[] {
  if (!Array.isArray(value) || value.length !== length)
    throw malformed(`a list does not have ${length} items`);
  return value;
}

const numbersOf = (value: CborValue | undefined, length: number): readonly string[] =>
  itemsOf(value, length).map((item) => textOf(item, NUMBER, 'number'));

function textOf(value: CborValue | undefined, form: RegExp, what: string): string {
  if (typeof value !== 'string' || !form.test(value)) throw malformed(`a ${what} is malformed`);
  return value;
}

const malformed = (why: string, cause?: unknown) =>
  new SvcError('malformed_payload', `The rawScan is malformed: ${why}.`, { cause });
