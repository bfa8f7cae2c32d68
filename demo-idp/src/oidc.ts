import { createHash, timingSafeEqual } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import { signingKey, trustedKeys } from './keys.js';
import { InvalidRequestError, type Provider, type Settings } from './provider.js';

const CODE_TTL_MS = 5 * 60_000;
const ID_TOKEN_TTL_SECONDS = 300;

/** The parameters of an authorization request that the provider reads. */
export interface AuthorizationRequest {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly state: string;
  readonly nonce: string;
  readonly code_challenge: string;
}

export function discoveryDocument({ baseUrl }: Pick<Settings, 'baseUrl'>) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oidc/authorize`,
    token_endpoint: `${baseUrl}/oidc/token`,
    jwks_uri: `${baseUrl}/oidc/jwks`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  };
}

export async function keySet(provider: Pick<Provider, 'keys'>) {
  const keys = await trustedKeys(provider, 'oidc');
  return {
    keys: await Promise.all(
      keys.map(async ({ keyId, publicKey }) => {
        const { kty, n, e } = await exportJWK(publicKey);
        return { kty: kty as string, n: n as string, e: e as string, kid: keyId, use: 'sig', alg: 'RS256' };
      }),
    ),
  };
}

/** What a code can be exchanged for. */
interface Grant {
  readonly redirectUri: string;
  readonly nonce: string;
  readonly codeChallenge: string;
  readonly subject: string;
}

/** Never redirects to an address that is not configured, not even with an error. */
export function checkAuthorization(
  { settings }: Pick<Provider, 'settings'>,
  request: AuthorizationRequest,
): void {
  const { client } = settings;
  if (request.client_id !== client.id) throw new InvalidRequestError('client_id', 'is not known');
  if (request.redirect_uri !== client.redirectUri)
    throw new InvalidRequestError('redirect_uri', 'is not allowed');
}

/** Signs the subject in. Returns the address that the browser is redirected to, with a code. */
export async function grantCode(
  provider: Provider,
  request: AuthorizationRequest,
  subject: string,
): Promise<string> {
  checkAuthorization(provider, request);
  const code = provider.random.bytes(32).toString('base64url');
  const grant: Grant = {
    redirectUri: request.redirect_uri,
    nonce: request.nonce,
    codeChallenge: request.code_challenge,
    subject,
  };
  const expiresAt = new Date(provider.clock.now() + CODE_TTL_MS);
  await provider.codes.save(code, JSON.stringify(grant), expiresAt);
  const target = new URL(request.redirect_uri);
  target.search = new URLSearchParams({ code, state: request.state }).toString();
  return target.href;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** The token endpoint. The first attempt consumes the code, whether it succeeds or not. */
async function redeemCode(provider: Provider, form: URLSearchParams): Promise<Response> {
  const field = (name: string) => form.get(name) ?? '';
  const { client } = provider.settings;
  const knownClient =
    field('client_id') === client.id &&
    timingSafeEqual(sha256(field('client_secret')), sha256(client.secret));
  if (!knownClient) return json({ error: 'invalid_client' }, 401);
  if (field('grant_type') !== 'authorization_code') return json({ error: 'unsupported_grant_type' }, 400);
  const text = await provider.codes.consume(field('code'));
  if (text === undefined) return json({ error: 'invalid_grant' }, 400);
  const grant = JSON.parse(text) as Grant;
  const challenge = sha256(field('code_verifier')).toString('base64url');
  if (challenge !== grant.codeChallenge || field('redirect_uri') !== grant.redirectUri) {
    return json({ error: 'invalid_grant' }, 400);
  }
  return json({
    // The protocol requires it; no endpoint accepts it.
    access_token: provider.random.bytes(32).toString('base64url'),
    token_type: 'Bearer',
    expires_in: ID_TOKEN_TTL_SECONDS,
    id_token: await idToken(provider, grant),
  });
}

async function idToken(provider: Provider, { subject, nonce }: Grant): Promise<string> {
  const { keyId, privateKey } = await signingKey(provider, 'oidc');
  const { baseUrl, client } = provider.settings;
  const now = Math.floor(provider.clock.now() / 1000);
  return new SignJWT({ nonce })
    .setProtectedHeader({ alg: 'RS256', kid: keyId, typ: 'JWT' })
    .setIssuer(baseUrl)
    .setSubject(subject)
    .setAudience(client.id)
    .setIssuedAt(now)
    .setExpirationTime(now + ID_TOKEN_TTL_SECONDS)
    .sign(privateKey);
}

const json = (body: object, status = 200) => Response.json(body, { status });

/** The part of `fetch` that an OpenID client needs. */
export type ProviderFetch = (
  url: string,
  request: { readonly method: string; readonly body?: unknown },
) => Promise<Response>;

/**
 * A `fetch` for the relying party that calls the provider's endpoints inside the process. It reaches no other address, so
 * nobody can make the relying party call one.
 */
export function inProcessFetch(provider: Provider): ProviderFetch {
  const { baseUrl } = provider.settings;
  return async (url, { method, body }) => {
    if (method === 'GET' && url === `${baseUrl}/.well-known/openid-configuration`) {
      return json(discoveryDocument(provider.settings));
    }
    if (method === 'GET' && url === `${baseUrl}/oidc/jwks`) return json(await keySet(provider));
    if (method === 'POST' && url === `${baseUrl}/oidc/token` && body instanceof URLSearchParams) {
      return redeemCode(provider, body);
    }
    throw new TypeError('This URL does not belong to the identity provider');
  };
}
