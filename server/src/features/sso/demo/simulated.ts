// Everything that needs the provider's package. A node loads it with the first request to it, which only comes if the operator enabled it.
import { checkAuthorization, discoveryDocument, grantCode, inProcessFetch, keySet } from '@svc/demo-idp/oidc';
import { createPages, pagePolicy } from '@svc/demo-idp/pages';
import { InvalidRequestError, type Provider } from '@svc/demo-idp/provider';
import { issueAssertion, metadataXml, readRequest, samlIdentityProvider } from '@svc/demo-idp/saml';
import { invalid } from '../../../base/errors.js';
import { type OpenIdProvider, type ProviderDeps, SERVICE_PROVIDER_PATH } from './demo-idp.js';
import { codeStore, keyStore } from './demo-idp.store.js';

/** The only OpenID client: our own relying party. */
const CLIENT_ID = 'svc';

export const { choosePage, postPage } = createPages('/docs/plain.css');

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

export function openIdProvider(provider: Provider): OpenIdProvider {
  const { baseUrl, client } = provider.settings;
  return {
    issuer: baseUrl,
    clientId: client.id,
    clientSecret: client.secret,
    fetch: inProcessFetch(provider),
  };
}

export {
  checkAuthorization,
  discoveryDocument,
  grantCode,
  issueAssertion,
  keySet,
  metadataXml,
  pagePolicy,
  readRequest,
  samlIdentityProvider,
};
