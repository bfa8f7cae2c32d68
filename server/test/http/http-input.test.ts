import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { compile } from '../../src/http/validate.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;

beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());
// The plan allows 10,000 requests per window; each test starts a new one.
beforeEach(() => service.clock.advance(16 * 60_000));

const json = { 'content-type': 'application/json' };
const post = (raw: string | Buffer, headers: Record<string, string> = json) =>
  service.call('POST', '/v1/devices', { as: account.key, raw, headers });
const create = (body: object, path = '/v1/devices') => service.call('POST', path, { as: account.key, body });
const get = (path: string) => service.call('GET', path, { as: account.key });

async function devices(): Promise<number> {
  const [row] = await service.db.query<{ n: number }>(
    sql`select count(*) as n from devices where tenant_id = ${account.tenantId}`,
  );
  return row!.n;
}

async function expectErrors(
  requests: readonly Promise<Reply>[],
  status: number,
  code: string,
): Promise<void> {
  for (const reply of await Promise.all(requests)) {
    expect(`${reply.status} ${reply.body?.error}`, reply.text).toBe(`${status} ${code}`);
  }
}

describe('a request body', () => {
  it('of another media type, charset or encoding returns 415 unsupported_media_type and creates nothing [http/limits-of-bodies]', async () => {
    const before = await devices();
    const types = [
      'application/json\ta',
      'application/json x',
      'application/json;',
      'application/json; charset=utf-16',
      'application/json; charset=utf-8; x=y',
      'application/json; charset="utf8',
      'application/json; charset=utf--8',
      'application/json; boundary=x',
      'application/json, application/json',
      'application/jsonx',
      'application/ld+json',
      'text/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'json',
      '*/*',
      '',
    ];
    const body = '{"name":"Typed"}';
    await expectErrors(
      types.map((type) => post(body, { 'content-type': type })),
      415,
      'unsupported_media_type',
    );
    await expectErrors([post(body, {})], 415, 'unsupported_media_type');
    for (const coding of ['gzip', 'br', 'deflate', 'identity, gzip', 'x'])
      await expectErrors(
        [post(body, { ...json, 'content-encoding': coding })],
        415,
        'unsupported_media_type',
      );
    expect(await devices()).toBe(before);
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; charset="UTF8"',
  ])('of type %s is accepted [http/lists-and-weak-tags]', async (type) => {
    expect((await post('{"name":"Typed"}', { 'content-type': type })).status).toBe(201);
  });

  it('of a DELETE request is checked like any other', async () => {
    const path = '/api/console/keys/019256b0-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
    const send = (raw: string, headers: Record<string, string>) =>
      service.call('DELETE', path, { as: account.token, raw, headers });
    await expectErrors(
      [send('x', { 'content-type': 'text/plain' }), send('x', {})],
      415,
      'unsupported_media_type',
    );
    await expectErrors([send('{', json), send('{"a":1}', json)].slice(0, 1), 400, 'invalid_request');
    await expectErrors([send('{"faceImage":1}', json)], 400, 'biometric_data_rejected');
  });

  it('returns 400 when it is not valid JSON in UTF-8', async () => {
    const broken = [
      '{',
      '{"name":"x"',
      "{'name':'x'}",
      '{"name":"x",}',
      '{"name":NaN}',
      '{"name":"x"} {"name":"y"}',
      '\u00ef\u00bb\u00bf{',
      'undefined',
      '{"name":"\n"}',
    ];
    await expectErrors(
      broken.map((raw) => post(raw)),
      400,
      'invalid_request',
    );
    const bytes = [
      Buffer.from([0x7b, 0x22, 0x6e, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d]),
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
      Buffer.from('{"name":"x"}', 'utf16le'),
      Buffer.from([0]),
    ];
    await expectErrors(
      bytes.map((raw) => post(raw)),
      400,
      'invalid_request',
    );
  });

  it('returns 400 when it is JSON but not an object', async () => {
    const values = ['null', '[]', '1', '"x"', 'true', '[{"name":"x"}]'];
    await expectErrors(
      values.map((raw) => post(raw)),
      400,
      'invalid_request',
    );
  });
});

describe('the size of a body', () => {
  const ofSize = (size: number) => {
    const start = '{"name":"x","metadata":{"a":"b"}';
    return `${start}${' '.repeat(size - start.length - 1)}}`;
  };
  it('is at most 65,536 bytes [http/limits-of-bodies]', async () => {
    expect((await post(ofSize(65_536))).status).toBe(201);
    await expectErrors([post(ofSize(65_537)), post(ofSize(1_000_000))], 413, 'payload_too_large');
    // The size is checked before the media type.
    await expectErrors([post(ofSize(65_537), { 'content-type': 'text/plain' })], 413, 'payload_too_large');
  });
  it('is at most 16 KiB and 8 levels for a free-form object [http/unknown-fields]', async () => {
    const ofBytes = (bytes: number) => ({ name: 'x', metadata: { a: 'b'.repeat(bytes - 8) } });
    expect((await create(ofBytes(16_384))).status).toBe(201);
    await expectErrors(
      [create(ofBytes(16_385)), create({ name: 'x', metadata: { a: 'é'.repeat(8_189) } })],
      400,
      'invalid_request',
    );
    const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
    expect((await create({ name: 'x', metadata: nested(8) })).status).toBe(201);
    await expectErrors([create({ name: 'x', metadata: nested(9) })], 400, 'invalid_request');
    const lists = (levels: number): unknown => (levels === 1 ? [] : [lists(levels - 1)]);
    expect((await create({ name: 'x', metadata: { a: lists(7) } })).status).toBe(201);
    await expectErrors([create({ name: 'x', metadata: { a: lists(8) } })], 400, 'invalid_request');
  });
  it('is at most 16 levels of nesting; even 30,000 levels return 400 [http/shape-of-bodies]', async () => {
    const deep = await post(`{"name":"x","metadata":${'['.repeat(17)}${']'.repeat(17)}}`);
    expect(deep.body.details).toEqual([{ path: 'body', message: 'must be at most 16 levels deep' }]);
    for (const depth of [17, 100, 30_000]) {
      await expectErrors(
        [post(`{"name":"x","metadata":${'['.repeat(depth)}${']'.repeat(depth)}}`)],
        400,
        'invalid_request',
      );
      await expectErrors(
        [post(`${'{"a":'.repeat(Math.min(depth, 9_000))}1${'}'.repeat(Math.min(depth, 9_000))}`)],
        400,
        'invalid_request',
      );
    }
  });
});

describe('a string', () => {
  it('with NUL or a lone surrogate returns 400 anywhere in a request [http/limits-of-bodies]', async () => {
    const bad = ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00', 'a\\ud83db'];
    for (const text of bad) {
      await expectErrors(
        [
          post(`{"name":"${text}"}`),
          post(`{"name":"x","${text}":1}`),
          post(`{"name":"x","metadata":{"a":["${text}"]}}`),
          post(`{"name":"x","metadata":{"${text}":1}}`),
        ],
        400,
        'invalid_request',
      );
    }
    await expectErrors(
      [get('/v1/audit?action=%00'), get('/v1/devices?cursor=%00'), get('/v1/devices?%00=1')],
      400,
      'invalid_request',
    );
    expect((await post('{"name":"\\ud83d\\ude00"}')).body.device.name).toBe('😀');
  });

  it('is stored exactly as sent, including markup and SQL', async () => {
    const names = [
      "Robert'); drop table devices;--",
      '<script>alert(1)</script>',
      '" or ""="',
      '$1 {x} %s %00 \\',
      "' union select key_hash from api_keys--",
      '日本語 ‮ e\u0301',
      'toString',
    ];
    for (const name of names) {
      const reply = await create({ name, locationId: name, metadata: { [name]: name } });
      expect(reply.status, reply.text).toBe(201);
      expect(reply.body.device).toMatchObject({ name, locationId: name, metadata: { [name]: name } });
      const changed = await service.call('PATCH', `/v1/devices/${reply.body.device.id}`, {
        as: account.key,
        body: { externalId: `${name}${reply.body.device.id}` },
      });
      expect(changed.body.device.externalId).toBe(`${name}${reply.body.device.id}`);
    }
    const probes = ["'", "';select pg_sleep(9)--", '1 or 1=1', '%27', '*'];
    for (const probe of probes.map(encodeURIComponent)) {
      await expectErrors(
        [
          `/v1/devices?status=${probe}`,
          `/v1/devices?cursor=${probe}`,
          `/v1/audit?action=${probe}`,
          `/v1/verifications?method=${probe}`,
        ].map(get),
        400,
        'invalid_request',
      );
    }
  });

  it('that is blank, empty or too long returns 400', async () => {
    const fits = ['x', 'x'.repeat(200), '😀'.repeat(200)];
    for (const name of fits) expect((await create({ name })).status).toBe(201);
    for (const name of ['', ' ', '\t\n', '\u00a0\u3000', 'x'.repeat(201), '😀'.repeat(201), null, 1, [], {}])
      await expectErrors([create({ name })], 400, 'invalid_request');
  });
});

describe('a field name', () => {
  it('that targets a prototype returns 400 and changes no prototype [http/shape-of-bodies]', async () => {
    for (const raw of [
      '{"name":"x","__proto__":{"plan":"enterprise"}}',
      '{"name":"x","metadata":{"__proto__":{"a":1}}}',
      '{"name":"x","metadata":{"a":[{"__proto__":1}]}}',
      '{"name":"x","\\u005f_proto__":1}',
      '{"__proto__":[]}',
      '{"name":"x","constructor":{"prototype":{"a":1}}}',
    ])
      await expectErrors([post(raw)], 400, 'invalid_request');
    expect(({} as Record<string, unknown>).a).toBeUndefined();
    await expectErrors(
      [get('/v1/devices?__proto__=1'), get('/v1/devices?constructor=1'), get('/v1/devices?toString=1')],
      400,
      'invalid_request',
    );
    const metadata = {
      constructor: 1,
      prototype: { a: 2 },
      toString: 'x',
      toJSON: 'y',
      hasOwnProperty: null,
      length: 3,
    };
    expect((await create({ name: 'x', metadata })).body.device.metadata).toEqual(metadata);
  });

  const NAMES =
    `biometricTemplate biometricData biometrics template templates fingerprintTemplate fingerprintImage
    faceTemplate faceImage faceEmbedding facePrint irisCode irisImage retinaScan voicePrint voiceTemplate palmPrint
    minutiae embedding`.split(/\s+/);
  /** The name in any case, with `_` and `-` anywhere. */
  const variant = fc
    .tuple(
      fc.constantFrom(...NAMES),
      fc.infiniteStream(fc.boolean()),
      fc.infiniteStream(fc.constantFrom('', '', '', '_', '-', '__')),
    )
    .map(([name, upper, marks]) =>
      [...name]
        .map(
          (letter) => (upper.next().value ? letter.toUpperCase() : letter.toLowerCase()) + marks.next().value,
        )
        .join(''),
    );
  const place = fc.constantFrom<(name: string) => unknown>(
    (name) => ({ name: 'x', [name]: 'AAAA' }),
    (name) => ({ [name]: null }),
    (name) => ({ name: 'x', metadata: { [name]: 1 } }),
    (name) => ({ name: 'x', metadata: { a: [[{ b: { [name]: {} } }]] } }),
    (name) => [{ [name]: 1 }],
    (name) => ({ name: { [name]: [] } }),
  );

  it('of a biometric template or image returns 400 biometric_data_rejected at any depth and in any spelling; its value is never stored or logged [http/no-biometrics]', async () => {
    const before = await devices();
    await fc.assert(
      fc.asyncProperty(variant, place, async (name, make) => {
        const reply = await create(make(name) as object);
        expect(`${reply.status} ${reply.body.error}`).toBe('400 biometric_data_rejected');
      }),
      { numRuns: 150, seed: 7 },
    );
    expect(await devices()).toBe(before);
    expect(service.logged.join('')).not.toContain('AAAA');
  });

  it('that only resembles a biometric one is accepted', async () => {
    const metadata = {
      fingerprint: 'ab',
      fingerPrint: 'cd',
      templateId: 1,
      face: 2,
      'face print': 3,
      iris: 4,
      scan: 5,
      embeddings: 6,
    };
    const reply = await create({ name: 'biometricTemplate', metadata });
    expect(reply.body.device.metadata).toEqual(metadata);
  });
});

describe('a query', () => {
  it.each(['/v1/devices', '/v1/verifications', '/v1/audit'])(
    'to %s accepts only a limit of 1 to 100 in plain digits',
    async (path) => {
      for (const limit of ['1', '50', '100']) expect((await get(`${path}?limit=${limit}`)).status).toBe(200);
      const bad = [
        '0',
        '101',
        '-1',
        '+1',
        '1.5',
        '1e2',
        '0x10',
        '01',
        '',
        '%201',
        '1%20',
        '1,2',
        'NaN',
        'Infinity',
        'null',
        'ten',
        '١',
        '1'.repeat(400),
        '%zz',
      ];
      await expectErrors(
        bad.map((limit) => get(`${path}?limit=${limit}`)),
        400,
        'invalid_request',
      );
      await expectErrors(
        [`limit=1&limit=1`, `limit[]=1`, `limit[a]=1`, `limit`, `limit=1&limit=`].map((q) =>
          get(`${path}?${q}`),
        ),
        400,
        'invalid_request',
      );
    },
  );

  it('with an unknown, repeated or nested field returns 400 and names the field [http/unknown-fields]', async () => {
    const queries = [
      'status[]=active',
      'status=active&status=retired',
      'status[$ne]=x',
      'Status=active',
      'status=ACTIVE',
      'status=',
      'state=active',
      '&x=1',
      'a.b=1',
    ];
    await expectErrors(
      queries.map((query) => get(`/v1/devices?${query}`)),
      400,
      'invalid_request',
    );
    const reply = await get('/v1/devices?no_such_field=1');
    expect(reply.body.details).toEqual([{ path: 'query.no_such_field', message: 'is not a known field' }]);
    expect((await get('/v1/devices?')).status).toBe(200);
  });

  it.each([
    ['/v1/anchors/proof', { seq: 'abc' }, 'must be an integer from 1: '],
    ['/v1/anchors/proof', { did: 'x' }, 'must be did:svc: and 1 to 128 hex digits: '],
    ['/demo/idp/saml/sso', { SAMLRequest: 'eA==', subject: '' }, 'must be a non-empty string: '],
    ['/zk/identity_proof-1.2/identity_proof.wasm', { v: 'x' }, 'must be 16 hex digits, '],
  ])('to %s with %j returns a message that says what the field must be', (path, query, said) => {
    const schema = service.app.routes.find((route) => route.path === path)?.schemas?.query;
    expect(compile('query', schema!)(query)).toMatchObject([{ message: expect.stringContaining(said) }]);
  });

  it('accepts only an unaltered cursor from an earlier page', async () => {
    await create({ name: 'one' });
    await create({ name: 'two' });
    const { nextCursor } = (await get('/v1/devices?limit=1')).body;
    expect((await get(`/v1/devices?cursor=${nextCursor}`)).status).toBe(200);
    const forms = [
      `${nextCursor}=`,
      `${nextCursor}%20`,
      `${nextCursor}A`,
      nextCursor.slice(1),
      nextCursor.slice(0, -1),
      `${nextCursor}&cursor=${nextCursor}`,
      'x',
      '',
      'A'.repeat(513),
    ];
    await expectErrors(
      forms.map((cursor) => get(`/v1/devices?cursor=${cursor}`)),
      400,
      'invalid_request',
    );
  });
});

describe('a UUID in a body', () => {
  it('is accepted only in canonical form [http/ids]', async () => {
    const { device } = (await create({ name: 'x' })).body;
    const event = (deviceId: unknown) =>
      create({ method: 'face', result: 'pass', deviceId }, '/v1/verifications');
    const forms = [
      `{${device.id}}`,
      `urn:uuid:${device.id}`,
      device.id.replaceAll('-', ''),
      ` ${device.id}`,
      `${device.id}\n`,
      device.id.slice(1),
      '',
      'x',
      1,
      null,
      [device.id],
    ];
    await expectErrors(forms.map(event), 400, 'invalid_request');
    const upper = await event(device.id.toUpperCase());
    expect(upper.status).toBe(201);
    expect(upper.body.verification.deviceId).toBe(device.id);
    await expectErrors([event(crypto.randomUUID())], 404, 'device_not_found');
  });
});

describe('a timestamp', () => {
  const event = (occurredAt: unknown) =>
    create({ method: 'face', result: 'pass', occurredAt }, '/v1/verifications');

  it('must be an existing time in ISO 8601 and UTC [http/shape-of-bodies]', async () => {
    const bad = [
      '2026-05-12T09:30:00',
      '2026-05-12T09:30:00+00:00',
      '2026-05-12T09:30:00+02:00',
      '2026-05-12 09:30:00Z',
      '2026-05-12',
      '2026-05-12T09:30Z',
      '2026-05-12t09:30:00z',
      '2026-05-12T09:30:60Z',
      '2016-12-31T23:59:60Z',
      '2026-05-12T24:00:00Z',
      '2026-02-30T00:00:00Z',
      '2025-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-05-12T09:30:00.0000Z',
      '2026-05-12T09:30:00,000Z',
      '+300000-01-01T00:00:00Z',
      '300000-01-01T00:00:00Z',
      '-000001-01-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00Z',
      '0999-12-31T23:59:59Z',
      '2026-W20-1',
      'infinity',
      '-infinity',
      'now',
      'epoch',
      'today',
      ' 2026-05-12T09:30:00Z',
      '2026-05-12T09:30:00Z\n',
      '',
      '٢٠٢٦-05-12T09:30:00Z',
      1_778_578_200_000,
      null,
      {},
    ];
    await expectErrors(bad.map(event), 400, 'invalid_request');
  });

  it('is stored to the millisecond, from the year 1000 on', async () => {
    const now = service.clock.now();
    const good = [
      '1000-01-01T00:00:00Z',
      '1582-10-10T12:00:00.001Z',
      '1899-12-31T23:59:59.9Z',
      '1970-01-01T00:00:00.000Z',
      '2024-02-29T23:59:59.999Z',
      new Date(now + 300_000).toISOString(),
    ];
    for (const text of good) {
      const reply = await event(text);
      expect(reply.status, reply.text).toBe(201);
      expect(reply.body.verification.occurredAt).toBe(new Date(text).toISOString());
    }
    await expectErrors(
      [event(new Date(now + 300_001).toISOString()), event('9999-12-31T23:59:59.999Z')],
      400,
      'invalid_request',
    );
    const { device } = (await create({ name: 'x' })).body;
    const updated = await service.call('PATCH', `/v1/devices/${device.id}`, {
      as: account.key,
      body: { lastSeenAt: '9999-12-31T23:59:59.999Z' },
    });
    expect(updated.body.device.lastSeenAt).toBe('9999-12-31T23:59:59.999Z');
  });
});

describe('a number', () => {
  it('must be a JSON number within its range [records/ranges-of-values]', async () => {
    const event = (score: string) =>
      service.call('POST', '/v1/verifications', {
        as: account.key,
        raw: `{"method":"face","result":"pass","confidenceScore":${score}}`,
        headers: json,
      });
    await expectErrors(
      ['1e309', '-1e309', '"1"', '-1', '100.0001', '101', 'true', '[1]', 'null', '-0.0001'].map(event),
      400,
      'invalid_request',
    );
    for (const score of ['0', '-0', '100', '99.99', '1e1', '5e-324', '1E-7', '0.1', '33.333333333333336']) {
      const reply = await event(score);
      expect(reply.status, reply.text).toBe(201);
      expect(reply.body.verification.confidenceScore).toBe(Number(score) + 0);
    }
    await expectErrors(
      [create({ name: 'x', batteryLevel: -1 }), create({ name: 'x', batteryLevel: 101 })],
      400,
      'invalid_request',
    );
  });

  it('whose value a double changes returns 400 with its path, in every body [http/exact-numbers]', async () => {
    const details = async (raw: string) => {
      const { status, body } = await post(raw);
      return [status, body.details?.[0]?.path];
    };
    const badge = (literal: string) => details(`{"name":"x","metadata":{"badge":${literal}}}`);
    const tiny = `0.${'0'.repeat(330)}1`;
    for (const literal of ['9007199254740993', '12345678901234567890', '1e400', '-1e400', '1e-400', tiny])
      expect(await badge(literal), literal).toEqual([400, 'body.metadata.badge']);
    for (const literal of ['9007199254740991', '9007199254740994', '1e22', '0.1000000000000000055', '0'])
      expect(await badge(literal), literal).toEqual([201, undefined]);
    expect(await details('{"name":"x","metadata":{"a":[0,{"b":9007199254740993}]}}')).toEqual([
      400,
      'body.metadata.a.1.b',
    ]);
    expect(await details('{"name":"9007199254740993","metadata":{"9007199254740993":"1e400"}}')).toEqual([
      201,
      undefined,
    ]);
    const raw = '{"email":"a@example.com","password":9007199254740993}';
    const login = await service.call('POST', '/api/console/login', { raw, headers: json });
    expect(login.body.details).toMatchObject([{ path: 'body.password' }]);
  });

  it('in a free-form object is stored exactly, or rejected if it is not finite', async () => {
    await expectErrors(
      [post('{"name":"x","metadata":{"a":1e309}}'), post('{"name":"x","metadata":{"a":[-1e999]}}')],
      400,
      'invalid_request',
    );
    const metadata = { big: 9_007_199_254_740_991, tiny: 5e-324, huge: 1.7976931348623157e308, third: 1 / 3 };
    expect((await create({ name: 'x', metadata })).body.device.metadata).toEqual(metadata);
  });
});

describe('the checks of a request', () => {
  it('run in the order address, credential, state, window and quota, scope, size, media type, parse, biometric guard, schema [http/order-of-checks]', async () => {
    const bare = await service.createKey(account, 'live', ['audit:read']);
    const huge = Buffer.alloc(70_000, 0x7b);
    const text = { 'content-type': 'text/plain' };
    const send = (as: string | undefined, raw: string | Buffer, headers: Record<string, string>) =>
      service.call('POST', '/v1/devices?no_such_field=1', { ...(as && { as }), raw, headers });
    await expectErrors([send(undefined, huge, text)], 401, 'missing_api_key');
    await expectErrors([send(`svc_live_${'0'.repeat(48)}`, huge, text)], 401, 'invalid_api_key');
    await expectErrors([send(bare, huge, text)], 403, 'insufficient_scopes');
    await expectErrors([send(account.key, huge, text)], 413, 'payload_too_large');
    await expectErrors([send(account.key, '{', text)], 415, 'unsupported_media_type');
    await expectErrors([send(account.key, '{"embedding":"\\u0000"}', json)], 400, 'invalid_request');
    await expectErrors([send(account.key, '{"embedding":1}', json)], 400, 'biometric_data_rejected');
    const both = await send(account.key, '{"nam":1}', json);
    expect(both.body.details.map((issue: { path: string }) => issue.path).sort()).toEqual([
      'body.nam',
      'body.name',
      'query.no_such_field',
    ]);

    const free = await service.signUp();
    const limited = await service.createKey(free, 'live', ['audit:read']);
    for (let call = 0; call < 100; call += 1) await service.call('GET', '/v1/audit', { as: limited });
    await expectErrors([send(limited, huge, text)], 429, 'rate_limit_exceeded');
    await service.setStatus(free, 'suspended');
    await expectErrors([send(limited, huge, text)], 403, 'tenant_inactive');
    const revoked = service.call('DELETE', `/api/console/keys/${free.keyId}`, { as: free.token });
    await expectErrors([revoked], 403, 'tenant_inactive');

    const address = '198.51.100.200';
    const login = (raw: string) =>
      service.call('POST', '/api/console/login', { raw, headers: text, address });
    for (let call = 0; call < 20; call += 1) await expectErrors([login('x')], 415, 'unsupported_media_type');
    await expectErrors([login('x')], 429, 'rate_limit_exceeded');
  });

  it('report all issues of a body, up to twenty', async () => {
    const body = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field${at}`, at]));
    expect((await create(body)).body.details).toHaveLength(20);
  });
});

describe('a cross-origin request', () => {
  const sendPreflight = (of: Service, origin: string, method = 'GET') =>
    of.call('OPTIONS', '/v1/devices', {
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'x-api-key,content-type',
      },
    });

  it('gets no CORS headers unless origins are configured', async () => {
    for (const origin of ['https://evil.test', 'null', 'http://localhost:3000']) {
      const preflight = await sendPreflight(service, origin);
      expect(preflight.status).toBe(405);
      const simple = await service.call('GET', '/v1/devices', { as: account.key, headers: { origin } });
      for (const reply of [preflight, simple])
        expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('may use every method from a configured origin, and gets no CORS headers from any other', async () => {
    const open = await startService({ env: { CORS_ORIGINS: 'https://app.test,https://b.test' } });
    try {
      for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']) {
        const reply = await sendPreflight(open, 'https://app.test', method);
        expect(reply.status).toBe(204);
        expect(reply.headers['access-control-allow-origin']).toBe('https://app.test');
        expect(String(reply.headers['access-control-allow-methods']).split(/, ?/)).toContain(method);
        expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
        expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
      }
      const failed = await open.call('GET', '/v1/devices', { headers: { origin: 'https://b.test' } });
      expect(failed.headers['access-control-allow-origin']).toBe('https://b.test');
      expect(String(failed.headers['access-control-expose-headers']).toLowerCase()).toContain('x-request-id');
      for (const origin of [
        'https://evil.test',
        'null',
        'https://app.test.evil.test',
        'http://app.test',
        'https://app.test:8443',
      ]) {
        const reply = await sendPreflight(open, origin);
        expect(reply.headers['access-control-allow-origin'], origin).toBeUndefined();
      }
    } finally {
      await open.close();
    }
  });
});

describe('the client’s address', () => {
  const forge = (from: string) => ({
    'x-forwarded-for': from,
    'x-real-ip': from,
    forwarded: `for=${from}`,
    'x-forwarded-host': 'evil.test',
    host: 'evil.test',
  });
  let guesses = 0;
  /** Uses another e-mail each time, so that the limits per e-mail don't apply. */
  const login = (of: Service, address: string, headers: Record<string, string> = {}) => {
    guesses += 1;
    const body = { email: `${guesses}@x.com`, password: 'x' };
    return of.call('POST', '/api/console/login', { body, address, headers });
  };

  it('is never read from forwarding headers by default', async () => {
    const statuses: number[] = [];
    for (let call = 0; call < 21; call += 1)
      statuses.push((await login(service, '198.51.100.1', forge(`203.0.113.${call}`))).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await login(service, '198.51.100.2', forge('198.51.100.1'))).status).not.toBe(429);
    const info = await service.call('GET', '/v1/auth/zkp/circuit-info', {
      as: account.key,
      headers: forge('1.2.3.4'),
    });
    expect(info.text).not.toContain('evil.test');
  });

  it('is the rightmost address in X-Forwarded-For behind a configured proxy', async () => {
    const proxied = await startService({ env: { TRUST_PROXY: '10.9.0.0/16' } });
    try {
      const statuses: number[] = [];
      for (let call = 0; call < 21; call += 1) {
        // An address that the client sent itself is to the left of the one that the proxy added.
        const headers = { 'x-forwarded-for': `9.9.9.${call}, 203.0.113.7` };
        statuses.push((await login(proxied, '10.9.0.1', headers)).status);
      }
      expect(statuses.at(-1)).toBe(429);
      const other = { 'x-forwarded-for': '203.0.113.8' };
      expect((await login(proxied, '10.9.0.1', other)).status).not.toBe(429);
      expect((await login(proxied, '198.51.100.77', { 'x-forwarded-for': '203.0.113.7' })).status).not.toBe(
        429,
      );
    } finally {
      await proxied.close();
    }
  });

  it('is read in every form that proxies send [limits/addresses-from-proxies]', async () => {
    const proxied = await startService({ env: { TRUST_PROXY: '10.9.0.0/16, 2001:db8:9::1' } });
    try {
      const forms = (port: number) => [
        `203.0.113.11:${port}`,
        `"203.0.113.11:${port}"`,
        `[::ffff:203.0.113.11]:${port}`,
        `9.9.9.9, 203.0.113.11:${port}, 10.9.0.2:443, "[2001:db8:9::1]:443"`,
      ];
      const statuses: number[] = [];
      for (let call = 0; call < 21; call += 1)
        statuses.push(
          (await login(proxied, '10.9.0.1', forge(forms(5_000 + call)[call % 4] as string))).status,
        );
      expect(statuses.filter((status) => status === 429)).toHaveLength(1);
      expect((await login(proxied, '10.9.0.1', forge('203.0.113.12:5678'))).status).toBe(401);
      for (let call = 0; call < 20; call += 1)
        await login(proxied, '10.9.0.1', forge(`[2001:db8::${call}%eth0]:5`));
      expect((await login(proxied, '10.9.0.1', forge('2001:db8::77'))).status).toBe(429);
    } finally {
      await proxied.close();
    }
  });

  it('that nobody can read is logged once a minute, and is no limit for others [limits/addresses-from-proxies]', async () => {
    const proxied = await startService({ env: { TRUST_PROXY: '10.9.0.0/16' } });
    const warnings = () => proxied.logged.filter((line) => line.includes('addresses that cannot be read'));
    try {
      for (let call = 0; call < 25; call += 1)
        expect((await login(proxied, '10.9.0.1', forge(`_client-${call}`))).status).toBe(401);
      expect(warnings()).toHaveLength(1);
      expect(JSON.parse(warnings()[0] as string)).toMatchObject({ requests: 1, form: '_aaaaaa-0' });
      proxied.clock.advance(60_000);
      for (let call = 0; call < 11; call += 1) {
        const body = { email: 'somebody@example.com', password: 'x' };
        const headers = forge('_client');
        const guess = { body, headers, address: '10.9.0.1' };
        expect((await proxied.call('POST', '/api/console/login', guess)).status).toBe(401);
      }
      expect(warnings()).toHaveLength(2);
    } finally {
      await proxied.close();
    }
  });

  it('is shared by an IPv6 /64, and is the IPv4 address for an IPv4-mapped one', async () => {
    const statuses: number[] = [];
    for (let call = 0; call < 21; call += 1)
      statuses.push((await login(service, `2001:db8:5:6::${call.toString(16)}`)).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await login(service, '2001:db8:5:7::1')).status).not.toBe(429);
    for (let call = 0; call < 20; call += 1) await login(service, '198.51.100.31');
    expect((await login(service, '::ffff:198.51.100.31')).status).toBe(429);
  });
});
