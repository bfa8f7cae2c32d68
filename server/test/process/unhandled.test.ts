import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/base/crypto/random.js';
import {
  currentRequest,
  isCheapToTrack,
  type RequestInfo,
  trackRequests,
} from '../../src/base/telemetry/request-context.js';
import { type Account, type Service, startService } from '../support/service.js';

const BASE = new URL('../../dist/base/telemetry/', import.meta.url);

/** A process that watches its rejections, does this, and says what it counted. */
function run(work: string, { tracks = true } = {}) {
  const script = `
    import { runFor, trackRequests } from '${BASE}request-context.js';
    import { watchRejections } from '${BASE}unhandled.js';
    if (${tracks}) trackRequests();
    const line = (fields, text) => console.log(text, JSON.stringify({ ...fields, err: fields.err.message }));
    const count = watchRejections({ error: line });
    const request = { requestId: 'r1', method: 'POST', endpoint: '/v1/verifications' };
    const forget = async () => { throw new Error('forgotten'); };
    process.on('exit', () => console.log('counted', count()));
    ${work}`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  return { status, lines: stdout.trim().split('\n') };
}

const LOGGED =
  'unhandled rejection {"requestId":"r1","method":"POST","endpoint":"/v1/verifications","err":"forgotten"}';

describe('an unhandled rejection', () => {
  it.each([
    ['immediately', 'runFor(request, () => void forget());'],
    ['after a promise', 'runFor(request, () => void Promise.resolve().then(forget));'],
    ['after a timer', 'runFor(request, () => setTimeout(() => void forget(), 1));'],
  ])(
    'of the work of a request, %s, is logged with the request and counted, and the process lives',
    (_, work) => {
      expect(run(work)).toEqual({ status: 0, lines: [LOGGED, 'counted 1'] });
    },
  );

  it.each([
    ['of a request', 'runFor(request, () => void forget());'],
    ['of no request', 'void forget();'],
  ])('%s is logged and counted, and the process lives, where tracking requests is expensive', (_, work) => {
    const lines = ['unhandled rejection {"err":"forgotten"}', 'counted 1'];
    expect(run(work, { tracks: false })).toEqual({ status: 0, lines });
  });

  it('names its request with Node 24 and later', () => {
    expect(['20.19.0', '22.21.1', '24.0.0', '100.0.0'].map(isCheapToTrack)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it.each([
    ['of no request', 'void forget();'],
    ['of work that requests share', 'runFor(request, () => runFor(undefined, () => void forget()));'],
  ])('%s ends the process', (_, work) => {
    expect(run(work)).toEqual({ status: 1, lines: ['counted 0'] });
  });
});

describe('the work of a request', () => {
  let service: Service;
  let account: Account;
  const drawn: (RequestInfo | 'unknown' | undefined)[] = [];
  beforeAll(async () => {
    trackRequests();
    const random = {
      ...systemRandom,
      bytes(size: number) {
        drawn.push(currentRequest());
        return systemRandom.bytes(size);
      },
    };
    service = await startService({ random });
    account = await service.signUp();
    await service.app.http.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => service.close());

  it('belongs to that request after its body was received, and while its statements share a transaction', async () => {
    const { port } = service.app.http.server.address() as { port: number };
    const send = (path: string, body: object) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    drawn.length = 0;
    const replies = await Promise.all([
      send('/api/console/keys', { name: 'First', environment: 'test' }),
      send('/api/console/devices', { name: 'Door', deviceType: 'kiosk' }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    const endpoints = new Set(
      drawn.map((request) => (typeof request === 'object' ? request.endpoint : undefined)),
    );
    expect(endpoints).toContain('/api/console/keys');
    expect(endpoints).toContain('/api/console/devices');
  });
});
