import { detailsOf } from '../../ui/forms/form';

/** The service accepts no longer list. */
export const MAX_ORIGINS = 20;

/** The origin in an address as a person types or pastes it, in its normal form. Undefined if there is none. */
export function originOf(text: string): string | undefined {
  const typed = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  // Browsers disagree on spaces in a host.
  if (/\s/.test(typed) || !URL.canParse(address)) return undefined;
  const { origin, protocol } = new URL(address);
  return /^https?:$/.test(protocol) ? origin : undefined;
}

/** The service's messages by the position of the origin that it did not accept. */
export const originErrors = (error: unknown): ReadonlyMap<number, string> =>
  new Map(
    detailsOf(error).flatMap(({ path, message }) => {
      const at = /\.origins\[(\d+)\]$/.exec(path)?.[1];
      return at === undefined ? [] : [[Number(at), message] as const];
    }),
  );
