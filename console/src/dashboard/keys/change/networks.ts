import { detailsOf } from '../../../ui/forms/form';

/** The networks that somebody typed, one a line or separated by commas. */
export const networksIn = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '');

/** What the service says of the networks, with the one that it means. Undefined if it accepted them. */
export function networkError(error: unknown, networks: readonly string[]): string | undefined {
  for (const { path, message } of detailsOf(error)) {
    const found = /^body\.allowedCidrs(?:[.[](\d+)\]?)?$/.exec(path);
    if (found) return `${found[1] === undefined ? 'The list' : networks[Number(found[1])]} ${message}.`;
  }
  return undefined;
}
