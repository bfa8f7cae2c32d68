import { expect } from 'vitest';
import type { Account, Service } from './service.js';

export const CLIENTS = '/api/console/oidc/clients';

/** A web application with a secret. */
export const WEB = {
  name: 'Portal',
  redirectUris: ['https://app.example.com/callback'],
  type: 'web',
  tokenEndpointAuth: 'client_secret_basic',
  subjectType: 'pairwise',
} as const;

/** Creates an OpenID client. Returns it as the console shows it, and its secret if it has one. */
export async function createClient(service: Service, account: Account, body: object = {}, query = '') {
  const reply = await service.call('POST', `${CLIENTS}${query}`, {
    as: account.token,
    body: { ...WEB, ...body },
  });
  expect(reply.status, reply.text).toBe(201);
  return { client: reply.body.client, secret: reply.body.clientSecret as string | undefined };
}
