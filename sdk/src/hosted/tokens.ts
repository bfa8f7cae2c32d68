import { fromBase64url } from '../codecs/base64url.js';
import { SvcError } from '../transport/errors.js';

/** The claims of an ID token. Which others it has depends on the application and on `scope`. */
export interface HostedClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string | readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly nonce: string;
  readonly acr?: string;
  readonly auth_time?: number;
  readonly name?: string;
  readonly email?: string;
  readonly [claim: string]: unknown;
}

export interface HostedTokens {
  readonly accessToken: string;
  readonly idToken: string;
  /** With `scope` `offline_access`, if the person consented. */
  readonly refreshToken: string | undefined;
  /** In seconds. */
  readonly expiresIn: number;
}

/** How far the clocks may differ. */
const SKEW_SECONDS = 300;

const failed = (message: string, cause?: unknown) =>
  new SvcError('sign_in_failed', message, cause === undefined ? {} : { cause });

interface TokenReply {
  readonly access_token?: unknown;
  readonly id_token?: unknown;
  readonly refresh_token?: unknown;
  readonly expires_in?: unknown;
  readonly error?: unknown;
  readonly error_description?: unknown;
}

/** Sends a form to the token endpoint. A redirect could send the code elsewhere, so it is not followed. */
export async function exchange(
  send: typeof fetch,
  issuer: string,
  form: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<HostedTokens> {
  let reply: TokenReply;
  let status: number;
  try {
    const response = await send(`${issuer}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
      credentials: 'omit',
      redirect: 'error',
      ...(signal && { signal }),
    });
    status = response.status;
    reply = ((await response.json()) ?? {}) as TokenReply;
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw failed(
      `The token endpoint of ${issuer} could not be used. Check the issuer, and that the application has the type spa, no secret, and a redirect URI of this origin.`,
      cause,
    );
  }
  const { access_token: accessToken, id_token: idToken, refresh_token: refreshToken } = reply;
  if (status !== 200)
    throw failed(`The code was rejected: ${String(reply.error_description ?? reply.error ?? status)}.`);
  if (typeof accessToken !== 'string' || typeof idToken !== 'string')
    throw failed('The token endpoint returned no access token or no ID token.');
  return {
    accessToken,
    idToken,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined,
    expiresIn: Number(reply.expires_in),
  };
}

/**
 * The claims of an ID token that came from the token endpoint. Its signature is not checked, because the connection to the issuer stands for
 * it (OpenID Connect Core, 3.1.3.7).
 * @throws SvcError `sign_in_failed` if it is for another sign-in, application or issuer, or is not valid now
 */
export function readClaims(
  idToken: string,
  expected: { readonly issuer: string; readonly clientId: string; readonly nonce: string },
  now: number,
): HostedClaims {
  const claims = decode(idToken);
  const { iss, sub, aud, nonce, exp, iat } = claims;
  const isForUs =
    aud === expected.clientId || (Array.isArray(aud) && aud.length === 1 && aud[0] === expected.clientId);
  const seconds = now / 1000;
  if (iss !== expected.issuer) throw failed(`The ID token is of another issuer, not of ${expected.issuer}.`);
  if (!isForUs) throw failed('The ID token is for another application.');
  if (nonce !== expected.nonce) throw failed('The ID token is of another sign-in: its nonce differs.');
  if (typeof sub !== 'string' || sub === '') throw failed('The ID token names nobody.');
  if (typeof exp !== 'number' || exp <= seconds - SKEW_SECONDS)
    throw failed('The ID token has expired. Check the clock of this machine.');
  if (typeof iat !== 'number' || iat > seconds + SKEW_SECONDS)
    throw failed('The ID token is of the future. Check the clock of this machine.');
  return claims as HostedClaims;
}

function decode(idToken: string): Partial<HostedClaims> {
  const parts = idToken.split('.');
  const bytes = parts.length === 3 ? fromBase64url(parts[1] as string) : undefined;
  try {
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return claims;
  } catch {
    // Below.
  }
  throw failed('The ID token can’t be read.');
}
