import { fromBase64url } from '../codecs/base64url.js';
import { unwrapCode } from '../codecs/code-url.js';
import type { Environment } from '../transport/options.js';

const FORM = /^svc:\/\/attend\?c=([A-Za-z0-9_-]{44})\.\d{1,12}\.[A-Za-z0-9_-]{16}$/;

/** The code that people scan to clock in or out, and whose account it is. */
export interface AttendanceCodeText {
  /** For `readContext`. */
  readonly code: string;
  readonly tenantId: string;
  readonly environment: Environment;
  /** Of the service, if the text was an address. */
  readonly origin?: string;
}

/** Reads the text of a QR code. Undefined for any other text. Only the service knows whether the code still counts. */
export function readAttendanceCode(scanned: string): AttendanceCodeText | undefined {
  const { text = '', origin } = unwrapCode(scanned) ?? {};
  const bytes = fromBase64url(FORM.exec(text)?.[1] ?? '');
  const kind = bytes?.[32];
  if (bytes === undefined || kind === undefined || kind > 3) return undefined;
  const hex = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return {
    code: text,
    tenantId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    environment: kind % 2 === 0 ? 'live' : 'test',
    ...(origin !== undefined && { origin }),
  };
}
