import type { OpenIdProvider, ProviderDeps, SamlIdentityProvider } from './demo-idp.js';

/** The provider stands for another company, so a node loads it only if the operator enabled it. */
export const loadSimulated = () => import('./simulated.js');

export async function samlIdentityProvider(deps: ProviderDeps): Promise<SamlIdentityProvider> {
  const idp = await loadSimulated();
  return idp.samlIdentityProvider(idp.providerOf(deps));
}

export async function openIdProvider(deps: ProviderDeps): Promise<OpenIdProvider> {
  const idp = await loadSimulated();
  return idp.openIdProvider(idp.providerOf(deps));
}
