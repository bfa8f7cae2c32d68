import { inProcessFetch } from '@svc/demo-idp/oidc';
import { InvalidRequestError, type Provider } from '@svc/demo-idp/provider';
import * as saml from '@svc/demo-idp/saml';
import type { CustomFetch } from 'openid-client';
import type { Config } from '../../../base/config.js';
import { invalid } from '../../../base/errors.js';
import type { Deps } from '../../../http/deps.js';
import { codeStore, keyStore } from './demo-idp.store.js';

export type { SamlIdentityProvider } from '@svc/demo-idp/saml';
export { DEMO_IDP_CODE_EXPIRY } from './demo-idp.store.js';

/** The relying party's settings for an OpenID provider. */
export interface OpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Used for the relying party's requests to the provider. */
  readonly fetch: CustomFetch;
}

/** The path of our service provider's metadata. Its URL is also the entity id. */
export const SERVICE_PROVIDER_PATH = '/v1/auth/saml/metadata';

/** The only OpenID client: our own relying party. */
const CLIENT_ID = 'svc';

/** The simulated provider is served only when the operator enables it. */
export const whenSimulated = ({ demoAuth }: Config): boolean => demoAuth;

export type ProviderDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'random' | 'keyring'>;

/** The simulated provider with this server's settings, keys and codes. */
export function providerOf(deps: ProviderDeps): Provider {
  const { config, clock, random, keyring } = deps;
  return {
    settings: {
      baseUrl: `${config.baseUrl}/demo/idp`,
      serviceProvider: {
        entityId: `${config.baseUrl}${SERVICE_PROVIDER_PATH}`,
        acsUrl: config.samlAcsUrl,
      },
      client: {
        id: CLIENT_ID,
        // Relying party and provider share the server's secret, so the client secret need not be stored.
        secret: keyring.hmac('sso', CLIENT_ID),
        redirectUri: config.oidcRedirectUri,
      },
    },
    keys: keyStore(deps),
    codes: codeStore(deps),
    clock,
    random,
  };
}

/** Returns 400 when the provider rejects a query parameter. */
export async function rejectInvalid<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InvalidRequestError) invalid(`query.${error.parameter}`, error.message);
    throw error;
  }
}

export const samlIdentityProvider = (deps: ProviderDeps): Promise<saml.SamlIdentityProvider> =>
  saml.samlIdentityProvider(providerOf(deps));

export function openIdProvider(deps: ProviderDeps): OpenIdProvider {
  const provider = providerOf(deps);
  const { baseUrl, client } = provider.settings;
  return {
    issuer: baseUrl,
    clientId: client.id,
    clientSecret: client.secret,
    fetch: inProcessFetch(provider),
  };
}
