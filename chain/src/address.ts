import { isAddress, zeroAddress } from 'viem';

/**
 * Describes what is wrong with an address; undefined if it is valid. The checksum is in the case of the letters, so an address
 * in only lower or only upper case has none.
 */
export function addressProblem(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return 'is not an address: 0x and 40 hex digits';
  if (text === zeroAddress) return 'is the zero address';
  const digits = text.slice(2);
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isPlain || isAddress(text)
    ? undefined
    : 'has a wrong checksum. It was mistyped, or the case of its letters was changed';
}
