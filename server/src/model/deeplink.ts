/** These forms are stable across V1 (SPEC, Enrollment and code rules). Codes and ids need no escaping, but are escaped anyway. */
export const enrollDeeplink = (code: string): string => `svc://enroll?code=${encodeURIComponent(code)}`;

/** Scanned by the new phone, to add it to the person of the phone that shows it. */
export const additionDeeplink = (code: string): string => `svc://add?code=${encodeURIComponent(code)}`;

/** Scanned by the phone of a member of the team, to show which person they are. */
export const memberDeeplink = (token: string): string => `svc://member?t=${token}`;

export type RegistrationStep = 'pair' | 'enroll' | 'verify';

export function registrationDeeplink(
  step: RegistrationStep,
  session: string,
  code: string,
  challenge?: string,
): string {
  const query = `step=${step}&session=${encodeURIComponent(session)}&code=${encodeURIComponent(code)}`;
  return `svc://reg?${query}${challenge === undefined ? '' : `&challenge=${encodeURIComponent(challenge)}`}`;
}

/**
 * Opens the phone page with this code, for any camera: browsers never send what follows `#`. Only the characters that would end the
 * value or change it are escaped, so that the QR code stays small.
 */
export const codeUrl = (baseUrl: string, text: string): string =>
  `${baseUrl}/phone/#code=${text.replace(/[^\w:/?=.~-]/g, encodeURIComponent)}`;

/** An id in 22 characters of base64url. */
const shortId = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');

/**
 * Opens the phone page with the first code of a registration, or with the code of a pairing: `<slot>.<mac>`. Short, so that the QR code
 * has large modules and is read across a room.
 */
export const shortUrl = (baseUrl: string, id: string, code: string): string =>
  `${baseUrl}/phone/#c=${shortId(id)}.${code}`;
