/** Trims and lower-cases by ASCII rules. Undefined if it is not an e-mail address (ASCII, at most 254 characters). */
export function canonicalEmail(text: string): string | undefined {
  const email = text.trim();
  const valid =
    email.length <= 254 &&
    /^[\x21-\x3f\x41-\x7e]{1,64}@[a-zA-Z0-9-]{1,63}(\.[a-zA-Z0-9-]{1,63})+$/.test(email);
  return valid ? email.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : undefined;
}
