import { isSvcError, parseDeeplink, parsePairingCode, SvcError } from '@svc/sdk';
import { UsageError } from '../failure.js';

/** Reads text with the SDK's parser. @throws UsageError with `usage` as its message */
function parseAs<T>(parse: (text: string) => T, text: string, usage: string): T {
  try {
    return parse(text.trim());
  } catch (error) {
    if (isSvcError(error, 'foreign_code')) throw new UsageError(error.message);
    throw error instanceof SvcError ? new UsageError(usage) : error;
  }
}

const parseLink = (text: string, baseUrl: string, usage: string) =>
  parseAs((link) => parseDeeplink(link, baseUrl), text, usage);

/** The text of a pairing's QR code. */
export const readPairingQr = (text: string) =>
  parseAs(
    parsePairingCode,
    text,
    'This is not a pairing code. Pass the text of the QR code, which begins with za:pair: or is an address with #c=, in quotation marks.',
  );

/** `svc://reg?step=…&session=…&code=…[&challenge=…]`, or the address of `baseUrl` with it. */
export function readRegistrationLink(text: string, baseUrl: string) {
  const usage =
    'This is not a registration link. Pass the text of the QR code, svc://reg?step=…&session=…&code=… or an address with #code=, in quotation marks.';
  const link = parseLink(text, baseUrl, usage);
  if (link.kind !== 'registration') throw new UsageError(usage);
  const { step, session: sessionId, code, challenge } = link;
  return { step, sessionId, code, challenge };
}

/** `svc://add?code=…`, the address of `baseUrl` with it, or the code alone. */
export function readAdditionCode(text: string, baseUrl: string): string {
  if (!text.includes('://')) return text.trim();
  const usage = 'This is not the code of another phone. Pass the code, or svc://add?code=….';
  const link = parseLink(text, baseUrl, usage);
  if (link.kind !== 'addition') throw new UsageError(usage);
  return link.code;
}

export interface EnrollmentLink {
  readonly code: string;
  readonly device?: string | undefined;
}

/** `svc://enroll?code=…`, which may name its device, or the code alone. */
export function readEnrollmentCode(text: string, baseUrl: string): EnrollmentLink {
  if (!text.includes('://')) return { code: text };
  const usage = 'This is not an enrollment link. Pass the code, or svc://enroll?code=….';
  const link = parseLink(text, baseUrl, usage);
  if (link.kind !== 'enroll') throw new UsageError(usage);
  return { code: link.code, device: link.device };
}
