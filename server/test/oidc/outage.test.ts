import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { countStatements, sharedDatabase } from '../support/database.js';
import { failingFor } from '../support/faults/failing-database.js';
import { authorization, createClient, discover, type OidcService, startOidc } from '../support/oidc/oidc.js';
import { freshAddress } from '../support/service.js';

const counting = countStatements((await sharedDatabase()).db);
const db = failingFor(counting);
let oidc: OidcService;
let authorizing: string;
let secret: string;
beforeAll(async () => {
  oidc = await startOidc({ db });
  const made = await createClient(oidc);
  secret = Buffer.from(`${made.clientId}:${made.clientSecret}`).toString('base64');
  authorizing = new URL((await authorization(await discover(oidc, made))).url).search;
});
afterEach(() => {
  db.lost = /$^/;
});
afterAll(() => oidc.close());

const call = (method: string, path: string, form?: object) =>
  oidc.service.call(method, `/oidc/${oidc.account.tenantId}/live${path}`, {
    address: freshAddress(),
    headers: { authorization: `Basic ${secret}`, 'content-type': 'application/x-www-form-urlencoded' },
    ...(form && { raw: new URLSearchParams({ ...form }).toString() }),
  });

const PUBLISHED = ['/.well-known/openid-configuration', '/jwks'];

describe('the OpenID Provider', () => {
  it('publishes its settings and keys from memory', async () => {
    for (const path of PUBLISHED) await call('GET', path);
    counting.statements.length = 0;
    for (const path of PUBLISHED) expect((await call('GET', path)).status, path).toBe(200);
    expect(counting.statements).toEqual([]);
  });

  it.each([
    ['account', /from tenants/],
    ['client', /from oidc_clients/],
    ['state', /oidc_state/],
  ])(
    'answers 503 with Retry-After while the database loses the look-up of the %s, and works again',
    async (_name, lost) => {
      const requests = () => [
        call('GET', `/auth${authorizing}`),
        call('POST', '/token', { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43) }),
      ];
      db.lost = lost;
      for (const reply of await Promise.all(requests())) {
        expect(reply.status, reply.text).toBe(503);
        expect(reply.headers['retry-after']).toMatch(/^[1-9]/);
        expect(reply.text).not.toMatch(/gone|select|oidc_/);
      }
      db.lost = /$^/;
      expect((await Promise.all(requests())).map(({ status }) => status)).toEqual([303, 400]);
    },
  );
});
