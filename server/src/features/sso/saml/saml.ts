import type { Static } from 'typebox';
import type { Config } from '../../../base/config/config.js';
import type { Deps } from '../../../http/deps.js';
import type { SessionTokens } from '../../sessions/sessions.js';
import { SERVICE_PROVIDER_PATH } from '../demo/demo-idp.js';
import { samlIdentityProvider } from '../demo/load.js';
import { beginSignOn, finishSignOn, newState, type SsoContext } from '../sso.js';
import type { CallbackBody } from './saml.schema.js';
import { checkResponse, loginUrl, metadata, type ServiceProvider } from './service-provider.js';

export { METADATA_EXAMPLE } from './saml.schema.js';

/** The request that a response must answer. */
interface Expected {
  readonly requestId: string;
}

const serviceProvider = ({ baseUrl, samlAcsUrl }: Config): ServiceProvider => ({
  entityId: `${baseUrl}${SERVICE_PROVIDER_PATH}`,
  acsUrl: samlAcsUrl,
});

/** Starts a login. The caller sends the browser to `redirectUrl`. */
export async function beginLogin(context: SsoContext): Promise<{ redirectUrl: string; relayState: string }> {
  const { deps } = context;
  const relayState = newState(deps.random);
  const requestId = `_${deps.random.bytes(20).toString('hex')}`;
  const idp = await samlIdentityProvider(deps);
  const redirectUrl = await loginUrl(serviceProvider(deps.config), idp, deps.clock, requestId, relayState);
  await beginSignOn<Expected>(context, 'saml', relayState, { requestId });
  return { redirectUrl, relayState };
}

/** Checks the provider's response and opens a session. */
export async function finishLogin(
  context: SsoContext,
  body: Static<typeof CallbackBody>,
): Promise<SessionTokens> {
  const { deps } = context;
  return finishSignOn<Expected>(context, 'saml', body.RelayState, async ({ requestId }) => {
    const idp = await samlIdentityProvider(deps);
    const provider = serviceProvider(deps.config);
    return checkResponse(provider, idp, deps.clock, requestId, body.SAMLResponse);
  });
}

/** Get the SAML metadata of this service provider, as XML. */
export function describeServiceProvider(deps: Pick<Deps, 'config' | 'clock'>): string {
  return metadata(serviceProvider(deps.config), deps.clock);
}
