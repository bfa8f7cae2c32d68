import { subtle } from './web-crypto.js';
import type { WebhookEvent } from './webhook-event.js';
import {
  fromBase64,
  importSecret,
  keyOf,
  toBase64,
  type WebhookFault,
  WebhookVerificationError,
} from './webhook-keys.js';

/** `Headers`, or the headers of a Node request, by names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookVerifyOptions {
  /** The greatest difference between the delivery's time and this machine's, in both directions. Default: 300. */
  readonly toleranceSeconds?: number | undefined;
  /** This machine's time in Unix milliseconds. Default: `Date.now()`. */
  readonly now?: number | undefined;
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Verifies a delivery by the Standard Webhooks specification, in constant time, and returns its event. Pass the body exactly as it
 * was received, before any parser. A secret is the webhook's `secret` or its `publicKey`. While a secret is replaced, pass both.
 * @throws WebhookVerificationError with a `reason`
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: WebhookHeaders,
  rawBody: string | Uint8Array | ArrayBuffer,
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now() }: WebhookVerifyOptions = {},
): Promise<WebhookEvent> {
  const secrets: readonly string[] = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0)
    reject('bad_secret', 'Pass the secret of the webhook, or a list of them.');
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  const body = bytesOf(rawBody);
  checkTimestamp(timestamp, now, toleranceSeconds);
  if (!(await isSigned(secrets, signatures, messageOf(id, timestamp, body))))
    reject(
      'no_match',
      'No signature matches. Check that the secret belongs to this webhook, and that the body is not changed before it is verified.',
    );
  return { ...parseBody(body), id };
}

/**
 * The headers of a delivery, as the service sends them. For tests of a receiver. `at` is in Unix milliseconds.
 * @throws WebhookVerificationError `bad_secret`
 */
export async function signWebhook(
  secret: string,
  id: string,
  body: string,
  at: number = Date.now(),
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(at / 1000));
  const key = await importSecret(secret, 'sign');
  const signature = await subtle().sign('HMAC', key, messageOf(id, timestamp, bytesOf(body)));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${toBase64(signature)}`,
  };
}

/** A key whose platform support is missing is only an error if no other secret matches. */
async function isSigned(
  secrets: readonly string[],
  signatures: readonly string[],
  message: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  let unsupported: WebhookVerificationError | undefined;
  for (const secret of secrets) {
    const key = await keyOf(secret).catch((error: unknown) => {
      if (!(error instanceof WebhookVerificationError) || error.reason !== 'no_ed25519') throw error;
      unsupported = error;
      return undefined;
    });
    for (const text of key === undefined ? [] : signatures) {
      const [version, value = ''] = text.split(',');
      const signature = version === key?.version ? fromBase64(value) : undefined;
      if (signature !== undefined && (await key?.matches(signature, message))) return true;
    }
  }
  if (unsupported !== undefined) throw unsupported;
  return false;
}

function checkTimestamp(text: string, now: number, toleranceSeconds: number): void {
  if (!/^[0-9]{1,12}$/.test(text))
    reject('bad_timestamp', 'The header webhook-timestamp is not a number of seconds.');
  const age = Math.floor(now / 1000) - Number(text);
  const difference = `${Math.abs(age)} s, and the tolerance is ${toleranceSeconds} s`;
  if (age > toleranceSeconds) reject('too_old', `The delivery is too old: ${difference}.`);
  if (age < -toleranceSeconds)
    reject('too_new', `The delivery is from the future: ${difference}. Check the clock of this machine.`);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value.join(' ') : value;
  return typeof text === 'string' && text !== ''
    ? text
    : reject('missing_header', `The header ${name} is missing.`);
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return reject(
    'bad_body',
    'Pass the body as text or bytes, exactly as it was received. An object that a parser made cannot be verified.',
  );
}

function messageOf(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(start.length + body.length);
  message.set(start);
  message.set(body, start.length);
  return message;
}

function parseBody(bytes: Uint8Array): WebhookEvent {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    body = undefined;
  }
  const { type, timestamp, data } = (body ?? {}) as Partial<Record<keyof WebhookEvent, unknown>>;
  const isEvent =
    typeof type === 'string' && typeof timestamp === 'string' && typeof data === 'object' && data !== null;
  return isEvent ? (body as WebhookEvent) : reject('bad_body', 'The body is signed, but it is not an event.');
}

function reject(reason: WebhookFault, message: string): never {
  throw new WebhookVerificationError(reason, message);
}
