import type { Authenticator, Faults } from './authenticator.js';
import { freshAddress, type Service } from './service.js';

const origin = 'http://localhost:3000';
const ownPage = { 'sec-fetch-site': 'same-origin', origin, host: 'localhost:3000' };

/** Adds a passkey of the member with this console token. */
export async function addPasskey(
  service: Service,
  as: string,
  authenticator: Authenticator,
  faults?: Faults,
) {
  const { body } = await service.call('POST', '/api/console/passkeys/options', { as });
  const credential = authenticator.create(body.options, faults);
  return service.call('POST', '/api/console/passkeys', { as, body: { credential, name: 'Laptop' } });
}

export const signInOptions = async (service: Service) =>
  (await service.call('POST', '/api/console/session/passkey/options', { address: freshAddress() })).body
    .options;

export const sendSignIn = (service: Service, credential: object) =>
  service.call('POST', '/api/console/session/passkey', {
    body: { credential },
    headers: ownPage,
    address: freshAddress(),
  });

/** Signs in with a passkey of the authenticator. */
export const signInWith = async (service: Service, authenticator: Authenticator, faults?: Faults) =>
  sendSignIn(service, authenticator.get(await signInOptions(service), faults));

/** The console token that a sign-in stored in the cookie. */
export const tokenOf = ({ headers }: { readonly headers: Record<string, unknown> }): string =>
  /__Host-svc_console=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? '';
