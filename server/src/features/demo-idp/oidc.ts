import { createHash } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import type { CustomFetch } from 'openid-client';
import type { Static } from 'typebox';
import type { Config } from '../../base/config.js';
import { invalid } from '../../base/errors.js';
import { equalSecrets, sha256 } from '../../base/keyring.js';
import type { Deps } from '../../http/deps.js';
import type { AuthorizeQuery } from './demo-idp.schema.js';
import * as store from './demo-idp.store.js';
import { signingKey, trustedKeys } from './keys.js';

/** The one client: this service's own relying side. */
export const CLIENT_ID = 'svc';
const CODE_TTL_MS = 5 * 60_000;
const ID_TOKEN_TTL_SECONDS = 300;

export const issuerOf = ({ baseUrl }: Pick<Config, 'baseUrl'>): string => `${baseUrl}/demo/idp`;

/** Relying side and provider run on the same keys, so the secret need not be stored. */
export const clientSecret = ({ keyring }: Pick<Deps, 'keyring'>): string => keyring.hmac('sso', CLIENT_ID);

export function discoveryDocument(config: Config) {
  const issuer = issuerOf(config);
  return {
    issuer,
    authorization_endpoint: `${issuer}/oidc/authorize`,
    token_endpoint: `${issuer}/oidc/token`,
    jwks_uri: `${issuer}/oidc/jwks`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    code_challenge_methods_supported: ['S256'],
  };
}

export async function keySet(deps: Deps) {
  const keys = await trustedKeys(deps, 'oidc');
  return {
    keys: await Promise.all(
      keys.map(async ({ keyId, publicKey }) => {
        const { kty, n, e } = await exportJWK(publicKey);
        return { kty: kty as string, n: n as string, e: e as string, kid: keyId, use: 'sig', alg: 'RS256' };
      }),
    ),
  };
}

/** What a code stands for. */
interface Grant {
  readonly redirectUri: string;
  readonly nonce: string;
  readonly codeChallenge: string;
  readonly subject: string;
}

/** Nobody is ever sent to an address that is not on the list, not even with an error. */
export function checkAuthorization(config: Config, query: Static<typeof AuthorizeQuery>): void {
  if (query.client_id !== CLIENT_ID) invalid('query.client_id', 'is not known here');
  if (query.redirect_uri !== config.oidcRedirectUri) invalid('query.redirect_uri', 'is not allowed');
}

/** Signs the chosen subject in: where the browser goes with its code. */
export async function grantCode(
  deps: Deps,
  query: Static<typeof AuthorizeQuery>,
  subject: string,
): Promise<string> {
  checkAuthorization(deps.config, query);
  const code = deps.random.bytes(32).toString('base64url');
  const grant: Grant = {
    redirectUri: query.redirect_uri,
    nonce: query.nonce,
    codeChallenge: query.code_challenge,
    subject,
  };
  const sealed = deps.keyring.encrypt(JSON.stringify(grant), deps.random);
  await store.insertCode(deps.db, sha256(code), sealed, new Date(deps.clock.now() + CODE_TTL_MS));
  const target = new URL(query.redirect_uri);
  target.search = new URLSearchParams({ code, state: query.state }).toString();
  return target.href;
}

/** The token endpoint: a code is spent by the first try, right or wrong. */
async function redeemCode(deps: Deps, form: URLSearchParams): Promise<Response> {
  const field = (name: string) => form.get(name) ?? '';
  const knownClient =
    field('client_id') === CLIENT_ID && equalSecrets(field('client_secret'), clientSecret(deps));
  if (!knownClient) return json({ error: 'invalid_client' }, 401);
  if (field('grant_type') !== 'authorization_code') return json({ error: 'unsupported_grant_type' }, 400);
  const sealed = await store.spendCode(deps.db, sha256(field('code')), new Date(deps.clock.now()));
  const text = sealed === undefined ? undefined : deps.keyring.decrypt(sealed);
  if (text === undefined) return json({ error: 'invalid_grant' }, 400);
  const grant = JSON.parse(text) as Grant;
  const challenge = createHash('sha256').update(field('code_verifier')).digest('base64url');
  if (challenge !== grant.codeChallenge || field('redirect_uri') !== grant.redirectUri) {
    return json({ error: 'invalid_grant' }, 400);
  }
  return json({
    // Required by the protocol, and good for nothing here.
    access_token: deps.random.bytes(32).toString('base64url'),
    token_type: 'Bearer',
    expires_in: ID_TOKEN_TTL_SECONDS,
    id_token: await idToken(deps, grant),
  });
}

async function idToken(deps: Deps, { subject, nonce }: Grant): Promise<string> {
  const { keyId, privateKey } = await signingKey(deps, 'oidc');
  const now = Math.floor(deps.clock.now() / 1000);
  return new SignJWT({ nonce })
    .setProtectedHeader({ alg: 'RS256', kid: keyId, typ: 'JWT' })
    .setIssuer(issuerOf(deps.config))
    .setSubject(subject)
    .setAudience(CLIENT_ID)
    .setIssuedAt(now)
    .setExpirationTime(now + ID_TOKEN_TTL_SECONDS)
    .sign(privateKey);
}

const json = (body: object, status = 200) => Response.json(body, { status });

/**
 * What the relying side calls out with: the provider's own endpoints, answered inside the process. Nothing else can be
 * reached, so there is no address to be tricked into calling, nothing to follow and nothing to wait for.
 */
export function inProcessFetch(deps: Deps): CustomFetch {
  const issuer = issuerOf(deps.config);
  return async (url, { method, body }) => {
    if (method === 'GET' && url === `${issuer}/.well-known/openid-configuration`) {
      return json(discoveryDocument(deps.config));
    }
    if (method === 'GET' && url === `${issuer}/oidc/jwks`) return json(await keySet(deps));
    if (method === 'POST' && url === `${issuer}/oidc/token` && body instanceof URLSearchParams) {
      return redeemCode(deps, body);
    }
    throw new TypeError('This address is not of the identity provider');
  };
}
