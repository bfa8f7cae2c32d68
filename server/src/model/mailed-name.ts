/** What a program that shows mail would turn into a link: a dot within a word, an @, a slash after a colon, or `www`. */
const ADDRESS = /[\p{L}\p{N}][.。][\p{L}\p{N}]|@|:\/|\/\/|\bwww\b/iu;

/** A name as a mail may have it. Undefined for one that contains an address: anybody can give an account a name and make it send mail. */
export const mailedName = (name: string): string | undefined =>
  ADDRESS.test(name.normalize('NFKC')) ? undefined : name;
