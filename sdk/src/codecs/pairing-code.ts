import { SvcError } from '../transport/errors.js';
import type { Environment } from '../transport/options.js';
import { fromBase64url, toBase64url } from './base64url.js';

/** The content of a pairing's QR code. In a forged code, every field is chosen by the attacker. */
export interface PairingCode {
  /** UUID. */
  readonly sessionId: string;
  /** 62 hex digits. */
  readonly nonce: string;
  /** Unix time in seconds. */
  readonly expiresAtSeconds: number;
  /** UUID. */
  readonly tenantId: string;
  readonly environment: Environment;
  readonly baseUrl: string;
}

/** The service, account and environment where a phone registered. It sends proofs nowhere else. */
export type EnrolledAt = Pick<PairingCode, 'baseUrl' | 'tenantId' | 'environment'>;

/** Maximum size of a QR code's content. */
const MAX_BYTES = 1500;
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const FORM = new RegExp(`^za:pair:1:(${UUID}):([0-9a-f]{62}):(\\d{1,12}):(${UUID}):(live|test):([\\w-]+)$`);

/** Formats `za:pair:1:…`, as in the service's `qrPayload`. */
export function formatPairingCode(code: PairingCode): string {
  const { sessionId, nonce, expiresAtSeconds, tenantId, environment, baseUrl } = code;
  const base = toBase64url(new TextEncoder().encode(baseUrl));
  const text = `za:pair:1:${sessionId}:${nonce}:${expiresAtSeconds}:${tenantId}:${environment}:${base}`;
  parsePairingCode(text);
  return text;
}

/**
 * Parses a pairing's QR code. Use `readPairingCode` before acting on it.
 * @throws SvcError `malformed_payload`
 */
export function parsePairingCode(text: string): PairingCode {
  const fields = typeof text === 'string' && text.length <= MAX_BYTES ? FORM.exec(text) : null;
  const bytes = fromBase64url(fields?.[6] ?? '=');
  const baseUrl = bytes === undefined ? undefined : decodeText(bytes);
  if (fields === null || baseUrl === undefined || !isAddress(baseUrl))
    throw new SvcError(
      'malformed_payload',
      'This is not the QR code of a pairing. Scan the code on the desktop’s screen again.',
    );
  const [, sessionId, nonce, expiry, tenantId, environment] = fields as unknown as string[];
  return {
    sessionId: sessionId as string,
    nonce: nonce as string,
    expiresAtSeconds: Number(expiry),
    tenantId: tenantId as string,
    environment: environment as Environment,
    baseUrl,
  };
}

/**
 * Parses a pairing's QR code on a phone. Throws if it belongs to another service, account or environment than the one where
 * the phone registered, because a proof must never be sent to an address from a QR code.
 * @throws SvcError `malformed_payload`, `foreign_code`
 */
export function readPairingCode(text: string, enrolledAt: EnrolledAt): PairingCode {
  const code = parsePairingCode(text);
  const foreign = (['baseUrl', 'tenantId', 'environment'] as const).find((name) =>
    name === 'baseUrl'
      ? withoutSlash(code[name]) !== withoutSlash(enrolledAt[name])
      : code[name] !== enrolledAt[name],
  );
  if (foreign === undefined) return code;
  const what = {
    baseUrl: `service (${new URL(code.baseUrl).origin}) than the one where this phone is registered (${new URL(enrolledAt.baseUrl).origin})`,
    tenantId: 'account than the one where this phone is registered',
    environment: `environment than '${enrolledAt.environment}', where this phone is registered`,
  }[foreign];
  const next =
    foreign === 'baseUrl'
      ? ' If both addresses are yours, set the server’s BASE_URL to the one that phones use.'
      : '';
  throw new SvcError('foreign_code', `This code belongs to another ${what}. Do not approve it.${next}`);
}

function isAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

const withoutSlash = (address: string) => address.replace(/\/+$/, '');

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
