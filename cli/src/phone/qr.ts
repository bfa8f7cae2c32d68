import { Failure, UsageError } from '../failure.js';
import { plain } from '../terminal.js';

/** What a code on a screen says; the phone believes none of it before it has compared. */
export interface PairingQr {
  readonly sessionId: string;
  readonly nonce: string;
  readonly tenantId: string;
  readonly environment: string;
  readonly baseUrl: string;
}

/**
 * Whoever shows a forged code chooses every field of it, so a proof goes only to the server that the phone speaks to
 * anyway, and in the environment of its key.
 * @throws Failure when the code is of elsewhere
 */
export function requireOwn(
  code: Pick<PairingQr, 'baseUrl' | 'environment'>,
  here: { readonly baseUrl: string; readonly environment: string },
): void {
  if (code.baseUrl !== here.baseUrl)
    throw new UsageError(
      `The code is of ${plain(code.baseUrl)}, and this phone speaks to ${here.baseUrl}. It is forged, or BASE_URL is to be as the server has it.`,
    );
  if (code.environment !== here.environment)
    throw new Failure(
      'credential',
      `The code is of the ${code.environment} environment, and the key is a key of ${here.environment}. Use a key of the environment that the desktop’s key has.`,
    );
}

export interface RegistrationLink {
  readonly step: 'pair' | 'enroll' | 'verify';
  readonly sessionId: string;
  readonly code: string;
  readonly challenge: string | undefined;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const PAIRING = new RegExp(
  `^za:pair:1:(${UUID}):([0-9a-f]{62}):([0-9]{1,12}):(${UUID}):(live|test):([A-Za-z0-9_-]+)$`,
);

/** `za:pair:1:<session>:<nonce>:<expiry>:<tenant>:<environment>:<base64url of the base URL>` */
export function readPairingQr(text: string): PairingQr {
  const [, sessionId, nonce, , tenantId, environment, base] = PAIRING.exec(text.trim()) ?? [];
  if (sessionId === undefined || !nonce || !tenantId || !environment || !base)
    throw new UsageError(
      'This is no pairing code. Give the text of the QR code, which begins with za:pair:1:, in quotation marks.',
    );
  return { sessionId, nonce, tenantId, environment, baseUrl: Buffer.from(base, 'base64url').toString() };
}

/** `svc://reg?step=…&session=…&code=…[&challenge=…]` */
export function readRegistrationLink(text: string): RegistrationLink {
  const query = /^svc:\/\/reg\?(.*)$/.exec(text.trim())?.[1];
  const fields = new URLSearchParams(query ?? '');
  const [step, sessionId, code] = ['step', 'session', 'code'].map((name) => fields.get(name) ?? '');
  if (!/^(pair|enroll|verify)$/.test(step ?? '') || !sessionId || !code)
    throw new UsageError(
      'This is no registration link. Give the text of the QR code, svc://reg?step=…&session=…&code=…, in quotation marks.',
    );
  return {
    step: step as RegistrationLink['step'],
    sessionId,
    code,
    challenge: fields.get('challenge') ?? undefined,
  };
}

export interface EnrollmentLink {
  readonly code: string;
  readonly device?: string | undefined;
}

/** `svc://enroll?code=…`, which may name its device, or the code alone. */
export function readEnrollmentCode(text: string): EnrollmentLink {
  if (!text.includes('://')) return { code: text };
  const query = /^svc:\/\/enroll\?(.*)$/.exec(text.trim())?.[1];
  const fields = new URLSearchParams(query ?? '');
  const code = fields.get('code');
  if (!code) throw new UsageError('This is no enrollment link. Give the code, or svc://enroll?code=….');
  return { code, device: fields.get('device') ?? undefined };
}
