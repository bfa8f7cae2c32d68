import type { Account } from '../../../server/test/support/service.js';
import { signUpFixed } from './northwind.js';
import type { PagesService } from './service.js';

/** The same time, however many tests ran before. After the days of the webhooks. */
const AT = Date.parse('2026-05-19T09:30:00.000Z');
const HOUR_MS = 3_600_000;

const WEB = { type: 'web', tokenEndpointAuth: 'client_secret_basic', subjectType: 'pairwise' } as const;
const PUBLIC = { tokenEndpointAuth: 'none', subjectType: 'pairwise', claims: ['profile'] } as const;

/** Oldest first. */
const CLIENTS = [
  {
    ...WEB,
    name: 'Intranet',
    redirectUris: ['https://intranet.northwind.example/oauth2/callback'],
    claims: ['profile'],
  },
  { ...PUBLIC, type: 'device', name: 'Warehouse scanner', redirectUris: [] },
  { ...PUBLIC, type: 'native', name: 'Driver app', redirectUris: ['com.northwind.driver:/callback'] },
  {
    ...PUBLIC,
    type: 'spa',
    name: 'Customer portal',
    redirectUris: ['https://portal.northwind.example/', 'https://portal.northwind.example/silent'],
  },
  {
    ...WEB,
    name: 'Nextcloud',
    tokenEndpointAuth: 'client_secret_post',
    redirectUris: ['https://cloud.northwind.example/apps/user_oidc/code'],
    claims: ['profile', 'email'],
  },
  {
    ...WEB,
    name: 'GitLab',
    redirectUris: ['https://git.northwind.example/users/auth/openid_connect/callback'],
    claims: ['profile', 'email'],
  },
  {
    ...WEB,
    name: 'Grafana',
    redirectUris: ['https://grafana.northwind.example/login/generic_oauth'],
    postLogoutRedirectUris: ['https://grafana.northwind.example/login'],
    claims: ['profile', 'email'],
  },
];

interface Seeded {
  readonly account: Account;
  /** The client of Grafana. */
  readonly grafana: string;
}

/** An account with a client of each type. The service must have a fixed clock and `fixedRandom`, which `restart` begins again. */
export async function seedClients(service: PagesService, restart: (name: string) => void): Promise<Seeded> {
  service.clock.advance(AT - CLIENTS.length * HOUR_MS - service.clock.now());
  // The first key of a database draws the key that encrypts all of them, and another test may have done so.
  const place = { tenantId: 'none', environment: 'live', table: 'none', column: 'none', id: 'none' } as const;
  await service.app.deps.sealer.seal('oidc', place, Buffer.alloc(1));
  restart('clients');
  const account = await signUpFixed(service, 'apps@northwind.example', 'Northwind Traders');
  let grafana = '';
  for (const [at, body] of CLIENTS.entries()) {
    // Jobs, which also draw, run when the clock advances.
    restart(`clients ${at}`);
    const reply = await service.call('POST', '/api/console/oidc/clients', { as: account.token, body });
    if (reply.status !== 201) throw new Error(`creating ${body.name} returned ${reply.status} ${reply.text}`);
    grafana = reply.body.client.clientId;
    service.clock.advance(HOUR_MS);
  }
  return { account, grafana };
}
