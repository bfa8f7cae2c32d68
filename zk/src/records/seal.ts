import { canonicalJson } from '../approvals/canonical-json.js';
import { fieldListsOf, laterFields, type SealedKind } from './kinds.js';

/**
 * The seal of a record: one hash of all that it says, in the metadata of the audit entry of the write.
 *
 *     F    = SHA-256( salt of the facts ‖ canonical JSON of the facts )
 *     T    = SHA-256( salt of the text ‖ canonical JSON of the text )
 *     seal = SHA-256( "svc-record-v1|" kind "." n "|" id "|" F "|" T )
 *
 * A salt has 16 random bytes, so that nobody can confirm a guess of a name without it. Every implementation must reproduce
 * docs/vectors/records.json.
 */
export interface Sealable {
  readonly kind: SealedKind;
  /** The number of the lists of fields. */
  readonly n: number;
  /** The record as the API returns it. A listed field that is absent counts as null, and fields that are not listed don't count. */
  readonly record: Readonly<Record<string, unknown>>;
  /** 32 lower-case hex digits each. */
  readonly salts: { readonly facts: string; readonly text: string | null };
  /** The T that was kept when the text was removed, together with its salt. */
  readonly T?: string | undefined;
}

/** Both in lower-case hex. */
export interface Seal {
  readonly seal: string;
  readonly T: string;
}

/** SHA-256 in lower-case hex, of bytes that are only there during the call. Node's own is ten times as fast as one that also runs in browsers. */
export type HexDigest = (bytes: Uint8Array) => string;

/**
 * The seal, and the T that is kept when the text is removed.
 * @throws TypeError if the record cannot have a seal: an unknown number, a wrong id, salt or T, or a value that JSON does not have
 */
export function sealOf({ kind, n, record, salts, T }: Sealable, digest: HexDigest): Seal {
  const lists = fieldListsOf(kind, n);
  if (lists === undefined) throw new TypeError(`a ${kind} has no fields with the number ${n}`);
  const { id } = record;
  if (typeof id !== 'string' || !UUID.test(id)) throw new TypeError(`a ${kind} has no such id`);
  const unsealed = laterFields(kind, n).find((name) => record[name] != null);
  if (unsealed !== undefined) throw new TypeError(`a ${kind} with the number ${n} has no ${unsealed}`);
  const facts = partHash(salts.facts, lists.facts, record, digest);
  const text = salts.text === null ? T : partHash(salts.text, lists.text, record, digest);
  if (text === undefined || (T !== undefined && salts.text !== null) || !HASH.test(text))
    throw new TypeError('a record has either the salt of its text or the hash of the text that was removed');
  const message = `svc-record-v1|${kind}.${n}|${id}|${facts}|${text}`;
  return { seal: digest(encode(message)), T: text };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;
const SALT = /^[0-9a-f]{32}$/;
const SALT_BYTES = 16;

function partHash(
  salt: string,
  names: readonly string[],
  record: Sealable['record'],
  digest: HexDigest,
): string {
  if (!SALT.test(salt)) throw new TypeError('a salt has 32 lower-case hex digits');
  const bytes = encodeAfterSalt(canonicalPart(names, record));
  for (let at = 0; at < SALT_BYTES; at += 1)
    bytes[at] = 16 * digitOf(salt.charCodeAt(2 * at)) + digitOf(salt.charCodeAt(2 * at + 1));
  return digest(bytes);
}

/** The codes of "a" to "f" follow those of "0" to "9" after 39 others. */
const digitOf = (code: number): number => (code < 58 ? code - 48 : code - 87);

/** What comes before each value of a part, in the order of the names. Each list is sorted once. */
const starts = new WeakMap<readonly string[], readonly (readonly [name: string, start: string])[]>();

function startsOf(names: readonly string[]) {
  let known = starts.get(names);
  if (known === undefined) {
    known = names.toSorted().map((name, at) => [name, `${at === 0 ? '{' : ','}${canonicalJson(name)}:`]);
    starts.set(names, known);
  }
  return known;
}

/** Texts that need no escapes: ids, times, states and most others. */
const PLAIN = /^[\w .:-]*$/;

/** `canonicalJson` of an object with these fields, which is not made. */
function canonicalPart(names: readonly string[], record: Sealable['record']): string {
  let text = '';
  for (const [name, start] of startsOf(names)) {
    const value = record[name] ?? null;
    text += start;
    text += typeof value === 'string' && PLAIN.test(value) ? `"${value}"` : canonicalJson(value);
  }
  return `${text}}`;
}

/** Undefined if the record cannot have been sealed as it is: with other fields, or nested too deeply to be read. */
export function sealMade(sealable: Sealable, digest: HexDigest): string | undefined {
  try {
    return sealOf(sealable, digest).seal;
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

const encoder = new TextEncoder();
/** Of one call at a time. Most texts fit, and a new array for each would take as long as its hash. */
const shared = new Uint8Array(4096);
const afterSalt = shared.subarray(SALT_BYTES);

/** A text in UTF-8 after the place of a salt. Only valid until the next call, like that of `encode`. */
function encodeAfterSalt(text: string): Uint8Array {
  const fits = 3 * text.length <= afterSalt.length;
  const bytes = fits ? shared : new Uint8Array(SALT_BYTES + 3 * text.length);
  const { written } = encoder.encodeInto(text, fits ? afterSalt : bytes.subarray(SALT_BYTES));
  return bytes.subarray(0, SALT_BYTES + written);
}

/** A short text in UTF-8. */
const encode = (text: string): Uint8Array => shared.subarray(0, encoder.encodeInto(text, shared).written);
