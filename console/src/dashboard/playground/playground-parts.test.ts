import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addressOf } from '../../snippets/request';
import { faultOfKey, isTestKey } from '../operations/playground-key';
import { draftOf, idOfField, requestOf, withSeen } from './draft';
import { type ApiDocument, type Endpoint, endpointsOf } from './endpoints';
import { send } from './send';

const document = JSON.parse(readFileSync('contract/openapi.json', 'utf8')) as ApiDocument;
const ENDPOINTS = endpointsOf(document);
const endpoint = (id: string) => ENDPOINTS.find((one) => one.id === id) as Endpoint;
const ORIGIN = 'https://svc.example';

afterEach(() => vi.unstubAllGlobals());

describe('the endpoints that can be tried', () => {
  it('need a key, end, and are neither deprecated nor outside /v1', () => {
    const ids = ENDPOINTS.map(({ id }) => id);
    expect(ids).toContain('createUser');
    expect(ids).toContain('getPairingSession');
    for (const id of [
      'enrollDevice',
      'streamPairingSession',
      'registerTemplate',
      'getHealth',
      'consoleLogIn',
    ])
      expect(ids).not.toContain(id);
  });

  it('are prefilled so that they can be sent as they are', () => {
    for (const one of ENDPOINTS) {
      const { request, faults } = requestOf(one, draftOf(one, {}), ORIGIN);
      expect(faults, one.id).toEqual({});
      expect(addressOf(request), one.id).toMatch(/^\/v1\/[\w\-./%]+(\?[\w=&:-]+)?$/);
      expect(request.body === undefined, one.id).toBe(one.body === undefined);
    }
  });

  it('refer to records that responses contained, and to none otherwise', () => {
    const create = endpoint('createUser');
    expect(JSON.parse(draftOf(create, {}).body)).not.toHaveProperty('primaryDeviceId');
    const devices = withSeen({}, endpoint('listDevices'), {
      devices: [{ id: 'd-1' }, { id: 'd-2' }],
      nextCursor: null,
    });
    const users = withSeen(devices, create, { user: { id: 'u-1' } });
    expect(users).toEqual({ '/v1/devices': 'd-1', '/v1/users': 'u-1' });
    const verification = JSON.parse(draftOf(endpoint('createVerification'), users).body);
    expect(verification).toMatchObject({ userId: 'u-1', deviceId: 'd-1' });
    expect(draftOf(endpoint('getUser'), users).values).toEqual({ 'path userId': 'u-1' });
    for (const response of [undefined, null, 'text', { error: 'x' }, { users: [] }, [null]])
      expect(withSeen({}, create, response)).toEqual({});
  });
});

describe('a request of the form', () => {
  it('has numbers where the API expects them, and leaves out what is empty', () => {
    const list = endpoint('listUsers');
    const valuesOf = (limit: string) => ({ values: { 'query limit': limit, 'query email': '' }, body: '' });
    expect(requestOf(list, valuesOf('20'), ORIGIN).request.query).toEqual({ limit: 20 });
    expect(requestOf(list, valuesOf('many'), ORIGIN).request.query).toEqual({ limit: 'many' });
  });

  it('names what is missing or malformed', () => {
    const get = endpoint('getUser');
    expect(requestOf(get, { values: {}, body: '' }, ORIGIN).faults).toEqual({
      'path userId': 'This is required.',
    });
    expect(requestOf(get, { values: { 'path userId': '..' }, body: '' }, ORIGIN).faults).toEqual({
      'path userId': 'This is not an ID.',
    });
    const create = endpoint('createUser');
    expect(requestOf(create, { values: {}, body: '{' }, ORIGIN).faults.body).toMatch(
      /^This is not valid JSON\./,
    );
    const [header] = create.fields.filter((field) => field.in === 'header');
    const values = { [idOfField(header as Endpoint['fields'][number])]: 'a\nb' };
    expect(requestOf(create, { values, body: '{}' }, ORIGIN).faults).toHaveProperty('header Idempotency-Key');
  });
});

describe('the key of the playground', () => {
  it('is a test key: a live key, and any other text, has an error', () => {
    expect(faultOfKey('')).toBeUndefined();
    expect(faultOfKey(`svc_test_${'0'.repeat(48)}`)).toBeUndefined();
    expect(faultOfKey(`svc_live_${'0'.repeat(48)}`)).toMatch(/^This is a live key\./);
    expect(faultOfKey('Bearer svc_test_1')).toMatch(/^This is not a test key\./);
    fc.assert(fc.property(fc.string(), (text) => !isTestKey(`svc_live_${text}`) && !isTestKey(text)));
  });

  it('is the only key that a request is ever sent with', async () => {
    const fetch = vi.fn(() => Promise.resolve(new Response('{}', { status: 200 })));
    vi.stubGlobal('fetch', fetch);
    const { request } = requestOf(endpoint('listUsers'), { values: {}, body: '' }, ORIGIN);
    const { signal } = new AbortController();
    for (const key of ['', 'svc_live_1', ' svc_live_1', 'other'])
      await expect(send(request, key, '', signal)).rejects.toThrow('only sent with a test key');
    expect(fetch).not.toHaveBeenCalled();
    await expect(send(request, 'svc_test_1', '', signal)).resolves.toMatchObject({ status: 200, json: {} });
    expect(fetch).toHaveBeenCalledWith(
      '/v1/users',
      expect.objectContaining({ headers: { Authorization: 'Bearer svc_test_1' } }),
    );
  });
});
