import type { CustomFetch } from 'openid-client';
import type { Config } from '../../base/config.js';
import type { Deps } from '../../http/deps.js';
import { signingKey, trustedKeys } from './keys.js';
import * as oidc from './oidc.js';

export { DEMO_IDP_CODE_EXPIRY } from './demo-idp.store.js';

/** The simulated identity provider, as the relying side sees one. What a real provider's settings would say. */
export interface SamlIdentityProvider {
  readonly entityId: string;
  readonly ssoUrl: string;
  /** PEM. */
  readonly publicKeys: readonly string[];
}

export interface OpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** How the relying side calls out. */
  readonly fetch: CustomFetch;
}

/** The service provider's metadata, whose address is also its name. */
export const SERVICE_PROVIDER_PATH = '/v1/auth/saml/metadata';

/** The simulated provider is there only where the operator asked for it. */
export const whenSimulated = ({ demoAuth }: Config): boolean => demoAuth;

export async function samlIdentityProvider(deps: Deps): Promise<SamlIdentityProvider> {
  // Made before it is asked for: a provider's key is known before its first answer.
  await signingKey(deps, 'saml');
  const keys = await trustedKeys(deps, 'saml');
  return {
    entityId: `${deps.config.baseUrl}/demo/idp/saml/metadata`,
    ssoUrl: `${deps.config.baseUrl}/demo/idp/saml/sso`,
    publicKeys: keys.map(({ publicKey }) => publicKey.export({ type: 'spki', format: 'pem' }).toString()),
  };
}

export const openIdProvider = (deps: Deps): OpenIdProvider => ({
  issuer: oidc.issuerOf(deps.config),
  clientId: oidc.CLIENT_ID,
  clientSecret: oidc.clientSecret(deps),
  fetch: oidc.inProcessFetch(deps),
});
