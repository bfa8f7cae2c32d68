import { catchError, fail } from '../../../base/errors.js';
import type { Deps } from '../../../http/deps.js';
import type { ConsolePrincipal, Credentials, TokenUse } from '../../../http/principal.js';
import { toTenant } from '../tenant.js';
import * as store from './logins.store.js';
import { sessionToken } from './session-cookie.js';

/** Lifetime of a console token, and so of the cookie that contains one. */
export const CONSOLE_TOKEN_SECONDS = 24 * 60 * 60;

/** Nodes of the version before read the member's id as that of the account, which it is for the first owner. */
export const signConsoleToken = (
  { tokens }: Pick<Deps, 'tokens'>,
  { tenantId, memberId, loginId, version }: store.TokenClaims,
  use: TokenUse,
): string => {
  const claims = { sub: memberId, acc: tenantId, sid: loginId, ver: version, use };
  return tokens.sign('console', claims, CONSOLE_TOKEN_SECONDS);
};

const bearer = (header: string | readonly string[]) =>
  typeof header === 'string' ? /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header)?.[1] : undefined;

/** Describes what the request contains instead of a token, judging only by its form. */
function refuseForm({ header }: Credentials): never {
  const authorization = header('authorization');
  const sent = [authorization, header('x-api-key')].flat().join(' ');
  const message = /svc_(live|test)_/.test(sent)
    ? 'This endpoint needs the token of a log-in, not an API key: send `Authorization: Bearer <token>`.'
    : authorization === undefined
      ? 'Log in, and send the token as `Authorization: Bearer <token>`.'
      : 'The Authorization header must be `Bearer <token>`, with the token of a log-in, and sent once.';
  return fail('invalid_console_token', { because: 'absent or malformed', message });
}

type AuthDeps = Pick<Deps, 'tokens' | 'db' | 'clock'>;

export async function authenticateConsole(
  deps: AuthDeps,
  credentials: Credentials,
): Promise<ConsolePrincipal> {
  const header = credentials.header('authorization');
  const hasKey = credentials.header('x-api-key') !== undefined;
  const token = header !== undefined ? bearer(header) : hasKey ? undefined : sessionToken(credentials);
  return token === undefined
    ? refuseForm(credentials)
    : authenticateToken(deps, token, header === undefined ? 'cookie' : 'bearer');
}

/** The member that a browser is logged in as. Undefined without a session or after it has ended. */
export async function findSession(
  deps: AuthDeps,
  credentials: Pick<Credentials, 'isFromOwnPage' | 'cookie'>,
): Promise<ConsolePrincipal | undefined> {
  const token = sessionToken(credentials);
  if (token === undefined) return undefined;
  return catchError('invalid_console_token', authenticateToken(deps, token, 'cookie'));
}

async function authenticateToken(deps: AuthDeps, token: string, sentAs: TokenUse): Promise<ConsolePrincipal> {
  const signed = await deps.tokens.verify('console', token);
  if (signed === undefined) fail('invalid_console_token', { because: 'signature, audience or time' });
  // The kind of a log-in is that of its token: the one of a browser's cookie is no token for programs, nor the other way round.
  const use = signed.use as TokenUse | undefined;
  if (use !== undefined && use !== sentAs)
    fail('invalid_console_token', {
      because: `issued as ${use}`,
      message:
        sentAs === 'bearer'
          ? 'This is the token of a browser’s cookie. Programs use the one of `POST /api/console/login`.'
          : 'This is the token of a program. Browsers log in with `POST /api/console/session`.',
    });
  const memberId = signed.sub as string;
  const claims: store.TokenClaims = {
    memberId,
    tenantId: (signed.acc as string | undefined) ?? memberId,
    loginId: signed.sid as string | undefined,
    version: signed.ver as number,
  };
  const row = await store.findLogin(deps.db, claims);
  if (row === undefined) fail('invalid_console_token', { because: 'ended' });
  const { role } = row;
  return {
    tenant: toTenant(row),
    member: store.memberOf(row),
    login: { id: claims.loginId, confirmedAt: row.confirmed_at?.getTime() },
    use: use ?? (sentAs === 'cookie' ? 'cookie' : undefined),
    tokenVersion: row.token_version,
    revalidate: (now, whileClosing = false) => store.stillValid(claims, role, new Date(now), whileClosing),
  };
}
