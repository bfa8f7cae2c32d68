import { dictionary } from '@zxcvbn-ts/language-common';

const MIN_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 256;

const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common'].map(String));

/** The word in a password, without the digits and symbols that people add around it. */
const core = (password: string) => password.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '');

const squeeze = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Why a password is rejected, as a sentence for its owner; undefined if it is accepted. */
export function passwordWeakness(password: string, email: string, companyName: string): string | undefined {
  const normal = password.normalize('NFC');
  if ([...normal].length < MIN_LENGTH) return `must have at least ${MIN_LENGTH} characters`;
  if (!/\p{L}/u.test(normal)) return 'must have at least one letter';
  if (!/\p{N}/u.test(normal)) return 'must have at least one digit';
  const lower = normal.toLowerCase();
  if (COMMON.has(lower) || COMMON.has(core(lower))) return 'is one of the most common passwords';
  const forms = (text: string) => [squeeze(text), squeeze(core(text))];
  const own = [email.split('@', 1)[0] as string, companyName]
    .flatMap(forms)
    .filter((word) => word.length > 0);
  if (forms(lower).some((form) => own.includes(form))) {
    return 'must not be made from the e-mail or the company name';
  }
  return undefined;
}
