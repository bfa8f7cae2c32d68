import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { databaseKind } from '../support/database.js';
import { type Account, freshAddress, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const read = () => service.app.deps.metrics.read();
/** The value of one series, or 0 if it does not exist yet. */
const value = async (series: string) => {
  const line = (await read()).split('\n').find((text) => text.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
};
const count = (method: string, route: string, status: string) =>
  value(`svc_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`);

describe('the metrics of a service', () => {
  it('label a request with its route pattern, never with its URL', async () => {
    const id = '01890a5d-ac96-774b-bcce-b302099a8057';
    const before = await count('PATCH', '/v1/devices/:deviceId', '4xx');
    await service.call('PATCH', `/v1/devices/${id}`, { as: account.key, body: { name: 'Door' } });
    expect(await count('PATCH', '/v1/devices/:deviceId', '4xx')).toBe(before + 1);
    expect(await read()).not.toContain(id);
  });

  it('have one series for all unknown paths [service/metrics]', async () => {
    const before = await count('GET', '(none)', '4xx');
    const series = (await read()).split('\n').length;
    for (let at = 0; at < 50; at += 1)
      await service.call('GET', `/v1/nothing-${at}?key=${account.key}`, { address: freshAddress() });
    expect(await count('GET', '(none)', '4xx')).toBe(before + 50);
    expect((await read()).split('\n').length).toBeLessThan(series + 20);
    expect(await read()).not.toContain('nothing-');
  });

  it('cover errors, writes, the database, the verifier, the limiters and the streams', async () => {
    await service.call('POST', '/v1/devices', { as: account.key, body: { name: 'Door' } });
    await service.call('GET', '/v1/devices', { as: `svc_live_${'0'.repeat(48)}` });
    expect(await value('svc_writes_total{action="device.created"}')).toBeGreaterThanOrEqual(1);
    expect(await value('svc_errors_total{code="invalid_api_key"}')).toBeGreaterThanOrEqual(1);
    expect(await value('svc_database_connections')).toBeGreaterThanOrEqual(1);
    expect(await value('svc_database_waiting')).toBe(0);
    expect(await value('svc_chain_lock_wait_seconds_count')).toBeGreaterThanOrEqual(1);
    expect(await value('svc_verifier_workers')).toBe(1);
    expect(await value('svc_verifier_queue_limit')).toBe(512);
    const { kernel, opinions } = service.app.deps.verifier.stats();
    expect(await value(`svc_zk_kernel{kernel="${kernel}"}`)).toBe(1);
    expect(await value('svc_zk_kernel{kernel="mcl"}')).toBe(0);
    expect(await value('svc_verifier_differences_total{verdict="accepted"}')).toBe(0);
    expect(await value('svc_verifier_second_opinions_skipped_total')).toBe(opinions.skipped);
    expect(await value('svc_verifier_second_opinions_total{verdict="rejected"}')).toBe(opinions.rejections);
    expect(await value('svc_limiter_keys')).toBeGreaterThanOrEqual(1);
    expect(await value('svc_plan_limiter_keys')).toBeGreaterThanOrEqual(1);
    expect(await value('svc_plan_limiter_blocked')).toBe(0);
    expect(await value('svc_ready')).toBe(1);
    const leave = service.app.deps.streams.reserve(['somebody', 1]);
    expect(await value('svc_streams_open')).toBe(1);
    leave?.();
    expect(await value('svc_streams_open')).toBe(0);
  });

  it('cover the version and the size of the pool', async () => {
    expect(await value('svc_build_info{version="0.0.0-test"}')).toBe(1);
    const { total, max } = service.db.pool();
    expect(await value('svc_database_connections')).toBe(total);
    expect(await value('svc_database_connections_max')).toBe(max);
    expect(max).toBe(databaseKind === 'pglite' ? 1 : 12);
  });

  it('are not served on the port of the API [service/metrics]', async () => {
    for (const path of ['/metrics', '/api/metrics', '/v1/metrics', '/api/admin/metrics'])
      expect((await service.call('GET', path, { address: freshAddress() })).status, path).toBe(404);
  });

  it('count a request as in flight until its response has ended', async () => {
    const own = await startService();
    const inFlight = async () =>
      Number(/^svc_http_requests_in_flight (\d+)$/m.exec(await own.app.deps.metrics.read())?.[1]);
    await own.app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = own.app.http.server.address() as AddressInfo;
    const sent = request({
      port,
      method: 'POST',
      path: '/api/console/login',
      headers: { 'content-type': 'application/json', 'content-length': 2 },
    });
    sent.flushHeaders();
    await vi.waitFor(async () => expect(await inFlight()).toBe(1));
    sent.end('{}');
    const [reply] = await once(sent, 'response');
    reply.resume();
    await vi.waitFor(async () => expect(await inFlight()).toBe(0));
    await own.close();
  });
});

describe('the log', () => {
  const lineOf = (requestId: unknown) =>
    service.logged.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId);

  it('has one line per finished request with its key, route, status and duration [service/request-log-lines]', async () => {
    const reply = await service.call('GET', '/v1/devices?limit=1', { as: account.key });
    expect(lineOf(reply.headers['x-request-id'])).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        requestId: reply.headers['x-request-id'],
        method: 'GET',
        endpoint: '/v1/devices',
        status: 200,
        durationMs: expect.any(Number),
        tenantId: account.tenantId,
        keyId: account.keyId,
      },
    ]);
  });

  it('has one line for a failed request as well, whichever part of the service rejects it', async () => {
    const big = JSON.stringify({ name: 'x'.repeat(70_000) });
    const rejected = [
      await service.call('GET', '/v1/nowhere'),
      await service.call('DELETE', '/v1/devices'),
      await service.call('GET', '/v1/devices', { as: 'nonsense' }),
      await service.call('POST', '/v1/devices', { as: account.key, body: { nope: 1 } }),
      await service.call('POST', '/v1/devices', {
        as: account.key,
        raw: '{',
        headers: { 'content-type': 'application/json' },
      }),
      await service.call('POST', '/v1/devices', {
        as: account.key,
        raw: big,
        headers: { 'content-type': 'application/json' },
      }),
      await service.call('GET', '/v1/%zz', { as: account.key }),
    ];
    expect(rejected.map(({ status }) => status)).toEqual([404, 405, 401, 400, 400, 413, 404]);
    for (const reply of rejected)
      expect(lineOf(reply.headers['x-request-id']), reply.text).toEqual([
        expect.objectContaining({
          status: reply.status,
          error: reply.body.error,
          durationMs: expect.any(Number),
        }),
      ]);
  });

  it('never contains the query, headers, body or URL of a request', async () => {
    const from = service.logged.length;
    const needle = 'needle7f3a';
    await service.call('POST', `/v1/devices?${needle}=1`, {
      as: account.key,
      body: { name: needle, metadata: { note: needle } },
      headers: { 'x-extra': needle, cookie: `a=${needle}`, 'user-agent': needle },
    });
    await service.call('GET', `/v1/${needle}`, { as: needle });
    const text = service.logged.slice(from).join('');
    expect(text.split('\n').filter(Boolean)).toHaveLength(2);
    expect(text).not.toContain(needle);
    expect(text).not.toContain(account.key);
  });
});
