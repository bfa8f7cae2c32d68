import { isAddress, zeroAddress } from 'viem';

/**
 * Why an account or a contract cannot have that address; undefined when it can. Small and capital letters together are a
 * checksum, which tells a mistyped address from a right one; of one kind alone they say nothing.
 */
export function faultOfAddress(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return 'is no address: 0x and 40 hex digits';
  if (text === zeroAddress) return 'is the zero address, which is nobody’s';
  const digits = text.slice(2);
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isPlain || isAddress(text)
    ? undefined
    : 'has a wrong checksum: it was mistyped, or its letters changed';
}
