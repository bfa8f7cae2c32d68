import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { DELIVERIES } from '../../src/features/webhooks/deliveries-openapi.js';
import { type Service, startService } from '../support/service.js';
import {
  createDevice,
  createHook,
  deliver,
  eventKey,
  LOOPBACK,
  pauseAll,
  startHook,
  stopDeliveries,
} from '../support/webhooks.js';

describe('GET /openapi.json', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: { BASE_URL: 'https://id.example.com' } });
  });
  afterAll(() => service.close());

  const get = (headers: Record<string, string> = {}, url = '/openapi.json') =>
    service.app.http.inject({ url, headers });

  it('describes the integration endpoints with BASE_URL as server, and all others with surface=all [http/openapi-document]', async () => {
    const integrator = (await get()).json();
    const all = (await get({}, '/openapi.json?surface=all')).json();
    expect(integrator.servers[0].url).toBe('https://id.example.com');
    expect(integrator.paths).toHaveProperty(['/v1/users', 'post', 'operationId'], 'createUser');
    expect(integrator.paths).not.toHaveProperty(['/api/console/login']);
    expect(all.paths).toHaveProperty(['/api/console/login', 'post', 'operationId'], 'consoleLogIn');
    expect(Object.keys(all.paths)).toEqual(expect.arrayContaining(Object.keys(integrator.paths)));
  });

  it.each(['surface=integrator', 'surface=', 'surface=all&surface=all', 'version=2'])(
    'rejects ?%s as invalid_request',
    async (query) => {
      const reply = await get({}, `/openapi.json?${query}`);
      expect([reply.statusCode, reply.json().error]).toEqual([400, 'invalid_request']);
    },
  );

  it('compresses the document as the client accepts, with a strong ETag for each encoding', async () => {
    const plain = await get();
    const gzip = await get({ 'accept-encoding': 'gzip, deflate' });
    const brotli = await get({ 'accept-encoding': 'gzip;q=0.5, br' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
    expect(gzip.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
    const tags = [plain, gzip, brotli].map(({ headers }) => String(headers.etag));
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]{43}"$/);
    for (const { headers } of [plain, gzip, brotli]) expect(headers.vary).toBe('accept-encoding');
  });

  it('sends no encoding that the client excludes with q=0', async () => {
    for (const accepted of ['br;q=0, gzip;q=0.0', 'identity', 'deflate'])
      expect((await get({ 'accept-encoding': accepted })).headers, accepted).not.toHaveProperty(
        'content-encoding',
      );
    expect((await get({ 'accept-encoding': 'br; q=0, gzip' })).headers['content-encoding']).toBe('gzip');
  });

  it('returns 304 without a body for the ETag of the encoding it would send', async () => {
    const { etag } = (await get()).headers;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get({ 'if-none-match': String(known) });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
      expect(again.headers).toMatchObject({ vary: 'accept-encoding', 'access-control-allow-origin': '*' });
    }
    const compressed = { 'accept-encoding': 'gzip', 'if-none-match': String(etag) };
    expect((await get(compressed)).statusCode).toBe(200);
  });

  it('returns the headers of GET for HEAD, and lists HEAD in Allow', async () => {
    const head = await service.app.http.inject({ method: 'HEAD', url: '/openapi.json' });
    const { headers } = await get();
    expect([head.statusCode, head.body]).toEqual([200, '']);
    for (const name of ['etag', 'content-type', 'content-length', 'vary'])
      expect(head.headers[name], name).toBe(headers[name]);
    const rejected = await service.app.http.inject({ method: 'POST', url: '/openapi.json' });
    expect([rejected.statusCode, rejected.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('is the only endpoint that pages of any origin can read [http/openapi-document]', async () => {
    const headers = { origin: 'https://tools.example.com' };
    const cors = (reply: { headers: object }) =>
      Object.entries(reply.headers).filter(([name]) => name.startsWith('access-control'));
    expect(cors(await get(headers))).toEqual([['access-control-allow-origin', '*']]);
    expect(cors(await get(headers, '/api/health'))).toEqual([]);
  });
});

describe('the webhooks of the document', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: LOOPBACK });
    // Those that other files have left in the database.
    await pauseAll(service);
  });
  afterAll(async () => {
    await stopDeliveries(service);
    await service.close();
  });

  it('describe exactly what a webhook sends: its events, summaries and tests [events/delivery]', async () => {
    const key = await eventKey(service, await service.signUp({ plan: 'growth' }));
    const hook = await startHook();
    const { id } = await createHook(service, key, { url: hook.url, outcome: 'any' });
    await createDevice(service, key);
    await deliver(service);
    const minute = Math.floor(service.clock.now() / 60_000);
    const types = { 'identity.verify': { count: 70, summary: { fromSeq: 3, toSeq: 12, count: 10 } } };
    await service.db.query(
      sql.mutation`update webhooks set throttle = ${JSON.stringify({ minute, types })}::jsonb where id = ${id}`,
    );
    await service.call('PATCH', `/v1/webhooks/${id}`, { as: key, body: { description: 'Flooded' } });
    await createDevice(service, key);
    await deliver(service);
    await deliver(service, 70_000);
    await service.call('POST', `/v1/webhooks/${id}/test`, { as: key });
    await service.call('POST', `/v1/webhooks/${id}/replay`, { as: key, body: { fromSeq: 1 } });
    await deliver(service, 3_000);
    await hook.stop();
    const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uuid: true, 'date-time': true } });
    const checks = new Map(DELIVERIES.map((sent) => [sent.name, { sent, check: ajv.compile(sent.body) }]));
    const found = new Set<string>();
    for (const { headers, body } of hook.received) {
      const { sent, check } = checks.get(body.type) ?? checks.get('event') ?? expect.unreachable();
      expect(check(body), JSON.stringify(check.errors)).toBe(true);
      found.add(sent.name);
      const own = Object.keys(headers).filter((name) => /^(webhook|svc)-/.test(name));
      const replay = headers['svc-replay'] === undefined ? [] : Object.keys(sent.optionalHeaders ?? {});
      expect(own.sort()).toEqual([...Object.keys(sent.headers), ...replay].sort());
    }
    expect([...found].sort()).toEqual(DELIVERIES.map(({ name }) => name).sort());
    expect(hook.received.some(({ headers }) => headers['svc-replay'] === 'true')).toBe(true);
  });
});
