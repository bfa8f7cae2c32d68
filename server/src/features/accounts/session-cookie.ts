import type { Credentials } from '../../http/principal.js';
import type { BaseContext } from '../../http/route.js';
import { secrets } from '../../model/example-fixtures.js';

/** The prefix binds it to this very host: no neighbour can set it, and it never travels without TLS (but to localhost). */
const NAME = '__Host-svc_console';

export const setSession = (
  context: Pick<BaseContext, 'setCookie'>,
  token: string,
  maxAgeSeconds: number,
): void => context.setCookie(NAME, token, { path: '/', maxAgeSeconds });

/** A token in the place of the one that the request came with, where that was a cookie's. */
export function renewSession(
  context: Pick<BaseContext, 'header' | 'cookie' | 'setCookie'>,
  token: string,
  maxAgeSeconds: number,
): void {
  if (context.header('authorization') === undefined && context.cookie(NAME) !== undefined)
    setSession(context, token, maxAgeSeconds);
}

/** Takes the cookie away from a browser that has it. */
export function endSession(context: Pick<BaseContext, 'cookie' | 'setCookie'>): void {
  if (context.cookie(NAME) !== undefined) setSession(context, '', 0);
}

export const sessionCookie = {
  'Set-Cookie': {
    description: 'The console token: HttpOnly, Secure, SameSite=Strict, for 24 hours.',
    example: `${NAME}=${secrets.consoleToken}; Max-Age=86400; Path=/; HttpOnly; Secure; SameSite=Strict`,
  },
};

/**
 * The console token of a page of ours. Browsers send the cookie by themselves, so it counts only where they say that a page
 * of this very origin asks (DECISIONS §4, Session cookie); no script can read it, and none elsewhere can use it.
 */
export function sessionToken({ header, cookie }: Pick<Credentials, 'header' | 'cookie'>): string | undefined {
  return header('sec-fetch-site') === 'same-origin' ? cookie(NAME) : undefined;
}
