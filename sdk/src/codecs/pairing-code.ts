import { SvcError } from '../transport/errors.js';
import type { Environment } from '../transport/options.js';
import { originOf, readAddress } from './address.js';
import { fromBase64url, toBase64url } from './base64url.js';
import { unwrapCode } from './code-url.js';

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
  /** Only in a code that moves: shows when it was scanned. */
  readonly scan?: PairingScan;
}

/** What a moving code has beyond one that does not move. Send it with `svc.phone.pairing.context`. */
export interface PairingScan {
  /** Unix time in units of 10 seconds. */
  readonly slot: number;
  /** 16 characters of base64url. */
  readonly slotMac: string;
}

/** The service, account and environment where a phone registered. It sends proofs nowhere else. */
export type EnrolledAt = Pick<PairingCode, 'baseUrl' | 'tenantId' | 'environment'>;

/** Maximum size of a QR code's content. */
const MAX_BYTES = 1500;
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const FIELDS = `(${UUID}):([0-9a-f]{62}):(\\d{1,12}):(${UUID}):(live|test):([\\w-]+)`;
const SCAN = '(0|[1-9]\\d{0,11}):([\\w-]{16})';
const FORMS = [new RegExp(`^za:pair:1:${FIELDS}$`), new RegExp(`^za:pair:2:${FIELDS}:${SCAN}$`)];

/** Formats `za:pair:1:…`, or `za:pair:2:…` with `scan`, as in the service's `qrPayload`. */
export function formatPairingCode(code: PairingCode): string {
  const { sessionId, nonce, expiresAtSeconds, tenantId, environment, baseUrl, scan } = code;
  const base = toBase64url(new TextEncoder().encode(baseUrl));
  const fields = `${sessionId}:${nonce}:${expiresAtSeconds}:${tenantId}:${environment}:${base}`;
  const text = scan ? `za:pair:2:${fields}:${scan.slot}:${scan.slotMac}` : `za:pair:1:${fields}`;
  parsePairingCode(text);
  return text;
}

/**
 * Parses a pairing's whole code, `qrPayload`. Use `readPairingCode` before acting on it. `url` only names the session: `findForCode` of
 * `@svc/sdk/phone` gets the whole code for it.
 * @throws SvcError `malformed_payload`, also if the address and its code name different services
 */
export function parsePairingCode(scanned: string): PairingCode {
  const { text = '', origin } = unwrapCode(scanned) ?? {};
  const isShort = text.length <= MAX_BYTES;
  const fields = isShort ? FORMS.map((form) => form.exec(text)).find((match) => match !== null) : undefined;
  const bytes = fromBase64url(fields?.[6] ?? '=');
  const baseUrl = bytes === undefined ? undefined : decodeText(bytes);
  const isWhole = fields !== undefined && baseUrl !== undefined && isAddress(baseUrl);
  if (!isWhole || (origin !== undefined && origin !== originOf(baseUrl)))
    throw new SvcError(
      'malformed_payload',
      'This is not the QR code of a pairing. Scan the code on the desktop’s screen again.',
    );
  const [, sessionId, nonce, expiry, tenantId, environment, , slot, slotMac] = fields;
  return {
    sessionId: sessionId as string,
    nonce: nonce as string,
    expiresAtSeconds: Number(expiry),
    tenantId: tenantId as string,
    environment: environment as Environment,
    baseUrl,
    ...(slotMac !== undefined && { scan: { slot: Number(slot), slotMac } }),
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
    baseUrl: `service (${originOf(code.baseUrl)}) than the one where this phone is registered (${originOf(enrolledAt.baseUrl)})`,
    tenantId: 'account than the one where this phone is registered',
    environment: `environment than '${enrolledAt.environment}', where this phone is registered`,
  }[foreign];
  const next =
    foreign === 'baseUrl'
      ? ' If both addresses are yours, set the server’s BASE_URL to the one that phones use.'
      : '';
  throw new SvcError('foreign_code', `This code belongs to another ${what}. Do not approve it.${next}`);
}

const isAddress = (text: string) => /^https?:$/.test(readAddress(text)?.protocol ?? '');

const withoutSlash = (address: string) => address.replace(/\/+$/, '');

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
