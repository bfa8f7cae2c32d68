import { describe, expect, it } from 'vitest';
import { freePort } from '../../../test/support/process.js';
import { serveMetrics } from '../../http/metrics-listener.js';
import { createMetrics } from './metrics.js';

/** The lines of one metric, without comments. */
const lines = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
  (await metrics.read()).split('\n').filter((line) => line.startsWith(name));

describe('the metrics', () => {
  it('count requests by method, route and class of status, with their durations', async () => {
    const metrics = createMetrics();
    metrics.request('GET', '/v1/devices/:id', 200, 0.004);
    metrics.request('GET', '/v1/devices/:id', 204, 0.3);
    metrics.request('GET', '/v1/devices/:id', 404, 0.004);
    const found = await lines(metrics, 'svc_http_request_duration_seconds');
    const of = (status: string) => `method="GET",route="/v1/devices/:id",status="${status}"`;
    expect(found).toContain(`svc_http_request_duration_seconds_count{${of('2xx')}} 2`);
    expect(found).toContain(`svc_http_request_duration_seconds_count{${of('4xx')}} 1`);
    expect(found).toContain(`svc_http_request_duration_seconds_sum{${of('2xx')}} 0.304`);
    expect(found).toContain(`svc_http_request_duration_seconds_bucket{le="0.25",${of('2xx')}} 1`);
    expect(found).toContain(`svc_http_request_duration_seconds_bucket{le="0.5",${of('2xx')}} 2`);
  });

  it('have one label for all methods that no route uses', async () => {
    const metrics = createMetrics();
    for (const method of ['PROPFIND', 'BREW', 'x'.repeat(1_000)]) metrics.request(method, '(none)', 404, 0);
    expect(await lines(metrics, 'svc_http_request_duration_seconds_count')).toEqual([
      'svc_http_request_duration_seconds_count{method="OTHER",route="(none)",status="4xx"} 3',
    ]);
  });

  it('count the requests in flight', async () => {
    const metrics = createMetrics();
    const leave = metrics.enter();
    metrics.enter();
    leave();
    expect(await lines(metrics, 'svc_http_requests_in_flight')).toEqual(['svc_http_requests_in_flight 1']);
  });

  it('measure how long writes waited for the head of their audit chain', async () => {
    const metrics = createMetrics();
    metrics.chainWait(0.02);
    const found = await lines(metrics, 'svc_chain_lock_wait_seconds');
    expect(found).toContain('svc_chain_lock_wait_seconds_bucket{le="0.01"} 0');
    expect(found).toContain('svc_chain_lock_wait_seconds_bucket{le="0.025"} 1');
  });

  it('read gauges and counters at each scrape', async () => {
    const metrics = createMetrics();
    let value = 1;
    metrics.gauge('test_depth', 'x', () => value);
    metrics.counter('test_total', 'x', () => ({ a: value, b: 2 }), 'kind');
    await metrics.read();
    value = 5;
    expect(await lines(metrics, 'test_')).toEqual([
      'test_depth 5',
      'test_total{kind="a"} 5',
      'test_total{kind="b"} 2',
    ]);
  });

  it('include the process and its event loop', async () => {
    const metrics = createMetrics();
    metrics.watchProcess();
    const text = await metrics.read();
    for (const name of [
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_p99_seconds',
    ])
      expect(text).toContain(`\n${name} `);
  });

  it('cost a request a few microseconds', () => {
    const metrics = createMetrics();
    const rounds = 50_000;
    const measure = () => {
      const started = performance.now();
      for (let round = 0; round < rounds; round += 1) {
        const leave = metrics.enter();
        metrics.request('GET', '/v1/devices/:id', 200, 0.01);
        leave();
      }
      return ((performance.now() - started) * 1_000) / rounds;
    };
    // Take the fastest of several runs, because the machine may be busy.
    const microseconds = Math.min(...Array.from({ length: 5 }, measure));
    expect(microseconds).toBeLessThan(25);
  });
});

describe('the listener for metrics', () => {
  it('serves metrics and nothing else', async () => {
    const metrics = createMetrics();
    const port = await freePort();
    const listener = await serveMetrics(metrics, { port, host: '127.0.0.1' });
    const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
    const reply = await get('/metrics');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(await reply.text()).toContain('svc_http_requests_in_flight 0');
    expect((await get('/metrics', { method: 'POST' })).status).toBe(405);
    for (const path of ['/', '/metrics?x=1', '/api/health', '//metrics'])
      expect((await get(path)).status, path).toBe(404);
    await listener.close();
    await expect(get('/metrics')).rejects.toThrow();
  });

  it('fails to start if it cannot listen', async () => {
    const port = await freePort();
    const listener = await serveMetrics(createMetrics(), { port, host: '127.0.0.1' });
    await expect(serveMetrics(createMetrics(), { port, host: '127.0.0.1' })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await listener.close();
  });
});
