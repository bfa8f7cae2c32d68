import { repeatsKey } from '../../../base/concurrency/repeated-key.js';
import { malformed, readBytes, reject } from './rejection.js';

/** The page that a passkey may be used on. */
export interface Place {
  /** Of `BASE_URL`. */
  readonly origin: string;
  readonly rpId: string;
}

export const placeOf = (baseUrl: string): Place => {
  const { origin, hostname } = new URL(baseUrl);
  return { origin, rpId: hostname };
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parse(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const text = utf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !repeatsKey(text))
      return value as Record<string, unknown>;
  } catch {
    // Below.
  }
  return malformed('client data');
}

/** What a browser says about the page that used a passkey. The challenge is undefined for a new one, which has its own. */
export function checkClientData(
  text: string,
  { origin }: Place,
  expected: { readonly type: 'webauthn.create' | 'webauthn.get'; readonly challenge: string | undefined },
): Buffer {
  const bytes = readBytes(text);
  const data = parse(bytes);
  if (data.type !== expected.type) return reject('type');
  const { challenge } = data;
  if (typeof challenge !== 'string' || readBytes(challenge).length < 16) return reject('challenge');
  if (expected.challenge !== undefined && challenge !== expected.challenge) return reject('challenge');
  if (data.origin !== origin) return reject('origin');
  if ((data.crossOrigin !== undefined && data.crossOrigin !== false) || 'topOrigin' in data)
    return reject('embedded page');
  return bytes;
}
