import type { CustomFetch } from 'openid-client';
import type { Config } from '../../../base/config/config.js';
import type { Deps } from '../../../http/deps.js';

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

/** The simulated provider is served only when the operator enables it. */
export const whenSimulated = ({ demoAuth }: Config): boolean => demoAuth;

export type ProviderDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'random' | 'keyring'>;
