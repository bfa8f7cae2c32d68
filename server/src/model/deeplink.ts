/** These forms are stable across V1 (SPEC, Enrollment and code rules). Codes and ids need no escaping, but are escaped anyway. */
export const enrollDeeplink = (code: string): string => `svc://enroll?code=${encodeURIComponent(code)}`;

/** Scanned by the new phone, to add it to the person of the phone that shows it. */
export const additionDeeplink = (code: string): string => `svc://add?code=${encodeURIComponent(code)}`;

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
