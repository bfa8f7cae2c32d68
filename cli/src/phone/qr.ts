import { parseDeeplink, parsePairingCode, SvcError } from '@svc/sdk';
import { Failure, UsageError } from '../failure.js';
import { plain } from '../terminal.js';

/**
 * An attacker can choose every field of a forged code. So the phone sends a proof only to its own server, in the
 * environment of its key.
 * @throws Failure when the code names another server or environment
 */
export function requireOwn(
  code: { readonly baseUrl: string; readonly environment: string },
  here: { readonly baseUrl: string; readonly environment: string },
): void {
  if (code.baseUrl !== here.baseUrl)
    throw new UsageError(
      `The code is of ${plain(code.baseUrl)}, and this phone uses ${here.baseUrl}. It is forged, or BASE_URL differs from the server’s setting.`,
    );
  if (code.environment !== here.environment)
    throw new Failure(
      'credential',
      `The code is of the ${code.environment} environment, and the key is a key of ${here.environment}. Use a key of the environment that the desktop’s key has.`,
    );
}

/** Reads text with the SDK's parser. @throws UsageError which says what to give */
function parseAs<T>(parse: (text: string) => T, text: string, usage: string): T {
  try {
    return parse(text.trim());
  } catch (error) {
    throw error instanceof SvcError ? new UsageError(usage) : error;
  }
}

/** The text of a pairing's QR code. */
export const readPairingQr = (text: string) =>
  parseAs(
    parsePairingCode,
    text,
    'This is no pairing code. Give the text of the QR code, which begins with za:pair:1:, in quotation marks.',
  );

/** `svc://reg?step=…&session=…&code=…[&challenge=…]` */
export function readRegistrationLink(text: string) {
  const usage =
    'This is no registration link. Give the text of the QR code, svc://reg?step=…&session=…&code=…, in quotation marks.';
  const link = parseAs(parseDeeplink, text, usage);
  if (link.kind !== 'registration') throw new UsageError(usage);
  const { step, session: sessionId, code, challenge } = link;
  return { step, sessionId, code, challenge };
}

export interface EnrollmentLink {
  readonly code: string;
  readonly device?: string | undefined;
}

/** `svc://enroll?code=…`, which may name its device, or the code alone. */
export function readEnrollmentCode(text: string): EnrollmentLink {
  if (!text.includes('://')) return { code: text };
  const usage = 'This is no enrollment link. Give the code, or svc://enroll?code=….';
  const link = parseAs(parseDeeplink, text, usage);
  if (link.kind !== 'enroll') throw new UsageError(usage);
  return { code: link.code, device: link.device };
}
