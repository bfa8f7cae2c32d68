import { catchError, fail } from '../../base/errors.js';
import { sql } from '../../db/sql.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal, Credentials } from '../../http/principal.js';
import { findTenant } from './accounts.store.js';
import { sessionToken } from './session-cookie.js';
import { toTenant } from './tenant.js';

/** Lifetime of a console token, and so of the cookie that contains one. */
export const CONSOLE_TOKEN_SECONDS = 24 * 60 * 60;

/** A console token contains the tenant's id and a version, which logging out and a new password increase. */
export function signConsoleToken(deps: Pick<Deps, 'tokens'>, tenantId: string, version: number): string {
  return deps.tokens.sign('console', { sub: tenantId, ver: version }, CONSOLE_TOKEN_SECONDS);
}

const bearer = (header: string | readonly string[]) =>
  typeof header === 'string' ? /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header)?.[1] : undefined;

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

export async function authenticateConsole(
  deps: Pick<Deps, 'tokens' | 'db'>,
  credentials: Credentials,
): Promise<ConsolePrincipal> {
  const header = credentials.header('authorization');
  const hasKey = credentials.header('x-api-key') !== undefined;
  const token = header !== undefined ? bearer(header) : hasKey ? undefined : sessionToken(credentials);
  return token === undefined ? refuseForm(credentials) : authenticateToken(deps, token);
}

/** The account that a browser is logged in to. Undefined without a session or after it has ended. */
export async function findSession(
  deps: Pick<Deps, 'tokens' | 'db'>,
  credentials: Pick<Credentials, 'isFromOwnPage' | 'cookie'>,
): Promise<ConsolePrincipal | undefined> {
  const token = sessionToken(credentials);
  if (token === undefined) return undefined;
  return catchError('invalid_console_token', authenticateToken(deps, token));
}

async function authenticateToken(
  deps: Pick<Deps, 'tokens' | 'db'>,
  token: string,
): Promise<ConsolePrincipal> {
  const claims = await deps.tokens.verify('console', token);
  if (claims === undefined) fail('invalid_console_token', { because: 'signature, audience or time' });
  const row = await findTenant(deps.db, claims.sub as string);
  if (row === undefined || row.token_version !== claims.ver)
    fail('invalid_console_token', { because: 'ended' });
  const { id, token_version: tokenVersion } = row;
  const revalidate = (_now: number, whileClosing = false) => sql.query`select 1 from tenants
    where id = ${id} and token_version = ${tokenVersion} and (status = 'active' or ${whileClosing} and status = 'closing')`;
  return { tenant: toTenant(row), tokenVersion, revalidate };
}
