import type { Person } from './scene';

/** The profile of a person, with the contact as what it is. */
export function profileOf({ fullName, contact }: Person): Record<string, string> {
  const given = contact.trim();
  return {
    fullName: fullName.trim(),
    ...(given !== '' && (given.includes('@') ? { email: given } : { phone: given })),
  };
}

const EMAIL = /^[^\s@]+@[^\s@]+$/;
const PHONE = /^\+?[\d\s()./-]{5,64}$/;

/** Nothing, an e-mail address or a phone number. */
export const isContact = (text: string): boolean => {
  const given = text.trim();
  return given === '' || EMAIL.test(given) || (PHONE.test(given) && /\d{3}/.test(given.replace(/\D/g, '')));
};
