import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { ceremonyBefore, pairBody } from '../support/ceremony.js';
import { pngOf, webpOf } from '../support/images.js';
import { contextOf } from '../support/pairing.js';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ companyName: 'Example AG', plan: 'enterprise' });
});
afterAll(() => service.close());

const base64 = (bytes: Buffer) => bytes.toString('base64');
const read = async ({ token }: Account) =>
  (await service.call('GET', '/api/console/profile', { as: token })).body.profile;
const put = (body: unknown, { token } = account) =>
  service.call('PUT', '/api/console/profile', { as: token, body });
const auditOf = async ({ token }: Account) =>
  (await service.call('GET', '/api/console/audit?limit=1', { as: token })).body.audit[0];

describe('the company profile', () => {
  it('has the name of the account and defaults, and changes the given fields alone [GET /api/console/profile] [PUT /api/console/profile] [console/company-profile]', async () => {
    const own = await service.signUp({ companyName: 'Old name' });
    expect(await read(own)).toEqual({ name: 'Old name', accentColor: '#0a6c56', logo: null });
    const named = await put({ name: '  New name ' }, own);
    expect([named.status, named.body.profile.name]).toEqual([200, 'New name']);
    const logo = pngOf(64, 32);
    const changed = await put({ accentColor: '#AbCdEf', logo: base64(logo) }, own);
    expect(changed.body.profile).toEqual({
      name: 'New name',
      accentColor: '#abcdef',
      logo: { url: expect.stringMatching(`^/logos/${own.tenantId}/[0-9a-f-]{36}$`), bytes: logo.length },
    });
    expect(await read(own)).toEqual(changed.body.profile);
    await put({ accentColor: '#000000' }, own);
    expect((await read(own)).logo).toEqual(changed.body.profile.logo);
    expect((await put({ logo: null }, own)).body.profile).toEqual({
      name: 'New name',
      accentColor: '#000000',
      logo: null,
    });
    const { body } = await service.call('GET', '/api/console/account', { as: own.token });
    expect(body.tenant.companyName).toBe('New name');
  });

  it('is separate for each account, and each change is audited without its values', async () => {
    const [one, two] = [await service.signUp(), await service.signUp()];
    await put({ name: 'Needle', accentColor: '#123456', logo: base64(pngOf(9, 9)) }, one);
    expect(await read(two)).toEqual({ name: 'Example', accentColor: '#0a6c56', logo: null });
    const row = await auditOf(one);
    expect(row).toMatchObject({
      action: 'tenant.profile_changed',
      actorType: 'member',
      entityId: one.tenantId,
      metadata: { fields: 'name, accentColor, logo' },
    });
    expect(JSON.stringify(row)).not.toContain('Needle');
    expect((await auditOf(two)).action).not.toBe('tenant.profile_changed');
  });

  it('rejects logos that are no small, intact PNG or WebP image, and other invalid fields, and changes nothing', async () => {
    const own = await service.signUp();
    await put({ logo: base64(webpOf('VP8L', 20, 20)) }, own);
    const before = [await read(own), (await auditOf(own)).seq];
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const png = base64(pngOf(8, 8));
    for (const [body, path] of [
      [{ logo: base64(Buffer.from(svg)) }, 'body.logo'],
      [{ logo: base64(pngOf(10_000, 10)) }, 'body.logo'],
      [{ logo: base64(webpOf('VP8X', 10, 10_000)) }, 'body.logo'],
      [{ logo: base64(pngOf(8, 8, 32 * 1024 + 1)) }, 'body.logo'],
      [{ logo: `data:image/png;base64,${png}` }, 'body.logo'],
      [{ logo: `${png}=` }, 'body.logo'],
      [{ logo: '' }, 'body.logo'],
      [{ logo: 5 }, 'body.logo'],
      [{ logo: { url: '/x' } }, 'body.logo'],
      [{ name: ' ' }, 'body.name'],
      [{ name: 'x'.repeat(201) }, 'body.name'],
      [{ name: null }, 'body.name'],
      [{ accentColor: 'red' }, 'body.accentColor'],
      [{ accentColor: '#12345' }, 'body.accentColor'],
      [{ accentColor: '#0a6c56;}' }, 'body.accentColor'],
      [{ colour: '#0a6c56' }, 'body.colour'],
      [{ name: 'A', logo: base64(Buffer.from(svg)) }, 'body.logo'],
      [{}, 'body'],
    ] as const) {
      const reply = await put(body, own);
      expect([body, reply.status, reply.body.details?.[0]?.path]).toEqual([body, 400, path]);
    }
    expect([await read(own), (await auditOf(own)).seq]).toEqual(before);
  });

  it.each([
    ['image/png', pngOf(1024, 1024, 32 * 1024)],
    ['image/webp', webpOf('VP8X', 1024, 1024)],
  ])(
    'serves a logo as %s, inert and cached by its content [GET /logos/:tenantId/:logoId]',
    async (type, logo) => {
      const { url, bytes } = (await put({ logo: base64(logo) })).body.profile.logo;
      expect(bytes).toBe(logo.length);
      const port = service.app.http.server.listening;
      expect(port).toBe(false);
      const reply = await service.app.http.inject({ url });
      expect(reply.rawPayload.equals(logo)).toBe(true);
      expect(reply.headers).toMatchObject({
        'content-type': type,
        'content-security-policy': "default-src 'none'; sandbox",
        'content-disposition': 'inline',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      expect((await put({ logo: base64(logo) })).body.profile.logo.url).toBe(url);
      await put({ logo: base64(pngOf(7, 7)) });
      expect((await service.call('GET', url)).status).toBe(404);
      const stranger = await service.signUp();
      const now = (await read(account)).logo.url;
      const elsewhere = now.replace(account.tenantId, stranger.tenantId);
      for (const path of [elsewhere, `${now.slice(0, -1)}x`, `/logos/x/y`, `/logos/${account.tenantId}`]) {
        const { status, body } = await service.call('GET', path);
        expect([path, status, body.error]).toEqual([path, 404, 'not_found']);
      }
    },
  );

  it('is shown to the phone that pairs', async () => {
    const own = await service.signUp({ companyName: 'Shown AG' });
    const pair = async () => {
      const body = pairBody(await ceremonyBefore(service, own, 'pair-device'));
      return (await service.call('POST', '/v1/registrations/pair-device', { body })).body;
    };
    expect(await pair()).toMatchObject({ company_name: 'Shown AG', accent_color: '#0a6c56', logo_url: null });
    const { url } = (await put({ accentColor: '#112233', logo: base64(pngOf(5, 5)) }, own)).body.profile.logo;
    expect(await pair()).toMatchObject({ accent_color: '#112233', logo_url: url });
  });
});

describe('a name that a phone shows [phones/visible-names]', () => {
  const signUp = (companyName: string) =>
    service.call('POST', '/api/console/signup', {
      body: { email: `${crypto.randomUUID()}@example.com`, password: 'correct horse 7 battery', companyName },
      address: freshAddress(),
    });
  const openPairing = (application: string) =>
    service.call('POST', '/v1/proof-pairing/sessions', {
      as: account.key,
      body: { context: { application } },
    });
  const createClient = (name: string) =>
    service.call('POST', '/api/console/oidc/clients', {
      as: account.token,
      body: {
        name,
        type: 'web',
        redirectUris: ['https://app.example.com/callback'],
        tokenEndpointAuth: 'client_secret_basic',
        subjectType: 'public',
      },
    });
  const fields = {
    'body.companyName': signUp,
    'body.name of the profile': (name: string) => put({ name }),
    'body.name of a client': createClient,
    'body.context.application': openPairing,
  };

  it.each(Object.entries(fields))('returns 400 for %s with an invisible character', async (field, send) => {
    for (const name of [
      '\u3164',
      'Example\u202eGA',
      'Exam\u200bple',
      'A\u115fG',
      'A\uffa0G',
      'A\u0007G',
      'A\u200dG',
    ]) {
      const reply = await send(name);
      expect([reply.status, reply.body.error], JSON.stringify(name)).toEqual([400, 'invalid_request']);
      expect(reply.body.details[0].path).toBe(field.split(' ')[0]);
    }
  });

  it.each(['شرکت نمونه‌سازی', '(주)한국회사', 'ශ්‍රී ලංකා AG', 'Café ❤️'])('may be %s', async (name) => {
    const replies = [
      await signUp(name),
      await put({ name }),
      await createClient(name),
      await openPairing(name),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 201, 201]);
    expect((await read(account)).name).toBe(name);
  });

  it('can still be read if it is older than that rule, and a phone shows its visible part', async () => {
    const own = await service.signUp();
    const name = '\u202eGA elpmaxE\u3164';
    await service.db.query(sql`update tenants set company_name = ${name} where id = ${own.tenantId}`);
    expect((await read(own)).name).toBe(name);
    const { body } = await service.call('POST', '/v1/proof-pairing/sessions', { as: own.key });
    expect((await contextOf(service, body.session.id)).body.context.company).toBe('GA elpmaxE');
  });
});

describe('the product', () => {
  it('has a name and a logo of the installation [GET /api/product] [GET /product-logo/:logoId]', async () => {
    const { product } = (await service.call('GET', '/api/product')).body;
    expect(product).toEqual({ name: 'Identity', logo: { url: expect.stringMatching('^/product-logo/') } });
    const reply = await service.call('GET', product.logo.url);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/png']);
    expect((await service.call('GET', `/product-logo/${crypto.randomUUID()}`)).status).toBe(404);
    const plain = await startService({ env: { PRODUCT_NAME: 'Entry', PRODUCT_LOGO: '' } });
    expect((await plain.call('GET', '/api/product')).body).toEqual({
      product: { name: 'Entry', logo: null },
    });
    await plain.close();
  });
});
