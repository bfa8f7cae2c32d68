import type { Credentials, TokenUse } from '../../../http/principal.js';
import type { BaseContext } from '../../../http/route.js';
import { secrets } from '../../../model/example-fixtures.js';

/** The prefix binds the cookie to this host: no other subdomain can set it, and it is only sent over TLS (or to localhost). */
const NAME = '__Host-svc_console';

export const setSession = (
  context: Pick<BaseContext, 'setCookie'>,
  token: string,
  maxAgeSeconds: number,
): void => context.setCookie(NAME, token, { path: '/', maxAgeSeconds });

/** Replaces the token, if the request used a cookie. */
export function renewSession(
  context: Pick<BaseContext, 'header' | 'cookie' | 'setCookie'>,
  token: string,
  maxAgeSeconds: number,
): void {
  if (context.header('authorization') === undefined && context.cookie(NAME) !== undefined)
    setSession(context, token, maxAgeSeconds);
}

/** Deletes the cookie in the browser. */
export function endSession(context: Pick<BaseContext, 'cookie' | 'setCookie'>): void {
  if (context.cookie(NAME) !== undefined) setSession(context, '', 0);
}

/** Deletes the cookie if a page of this origin asks for it, so that no other site can log a browser out. */
export function closeSession(context: Pick<BaseContext, 'isFromOwnPage' | 'cookie' | 'setCookie'>): void {
  if (sessionToken(context) !== undefined) endSession(context);
}

export const sessionCookie = {
  'Set-Cookie': {
    description: 'The console token: HttpOnly, Secure, SameSite=Strict, for 24 hours.',
    example: `${NAME}=${secrets.consoleToken}; Max-Age=86400; Path=/; HttpOnly; Secure; SameSite=Strict`,
  },
};

/**
 * The console token of our own pages. Browsers send the cookie by themselves, so it is accepted only from a page of this origin
 * [console/session-cookie]. No script can read it, and no other site can use it.
 */
export const sessionToken = ({
  isFromOwnPage,
  cookie,
}: Pick<Credentials, 'isFromOwnPage' | 'cookie'>): string | undefined =>
  isFromOwnPage ? cookie(NAME) : undefined;

/** The kind of a log-in that both browsers and programs begin. */
export const useOf = ({ isFromOwnPage }: Pick<BaseContext, 'isFromOwnPage'>): TokenUse =>
  isFromOwnPage ? 'cookie' : 'bearer';

/** Logs in the browser of one of our own pages. Other clients only get the token. */
export function setOwnSession(
  context: Pick<BaseContext, 'isFromOwnPage' | 'setCookie'>,
  token: string,
  maxAgeSeconds: number,
): void {
  if (context.isFromOwnPage) setSession(context, token, maxAgeSeconds);
}
