import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signWebhook, verifyWebhook } from './webhook.js';
import type { WebhookEvent } from './webhook-event.js';
import { WebhookVerificationError } from './webhook-keys.js';

const SECONDS = 1_614_265_330;
const AT = SECONDS * 1000;
const ID = 'evt_019e1b2c-1234-7abc-8def-0123456789ab';
const TIMESTAMP = '2021-02-25T15:02:10.000Z';
const BODY = JSON.stringify({ type: 'user.created', timestamp: TIMESTAMP, data: { seq: 7, summary: 'Ä' } });
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const SECRET = newSecret();

const reasonOf = (verified: Promise<unknown>): Promise<unknown> =>
  verified.then(
    () => 'valid',
    (error) => (error instanceof WebhookVerificationError ? error.reason : error),
  );

/** The headers of the delivery, with these changes. */
const headersOf = async (changes: Record<string, string> = {}) => ({
  ...(await signWebhook(SECRET, ID, BODY, AT)),
  ...changes,
});
const verify = async (changes: Record<string, string> = {}, body: string = BODY, now = AT) =>
  verifyWebhook(SECRET, await headersOf(changes), body, { now });

/** A key pair, and what signs with it as the service does. */
function ed25519() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    publicKey: `whpk_${raw.toString('base64')}`,
    signatureOf: (text: string) => `v1a,${sign(null, Buffer.from(text), privateKey).toString('base64')}`,
  };
}
const SIGNED = `${ID}.${SECONDS}.${BODY}`;

afterEach(() => vi.useRealTimers());

describe('verifyWebhook', () => {
  it('returns the event with the id of the delivery', async () => {
    expect(await verify()).toEqual({ ...JSON.parse(BODY), id: ID });
  });

  it('accepts headers as Headers, in any case and as lists, and the body as text or bytes', async () => {
    const headers = await headersOf();
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    const bytes = new TextEncoder().encode(BODY);
    const padded = new Uint8Array([0, ...bytes, 0]).subarray(1, -1);
    for (const form of [new Headers(headers), upper, lists])
      for (const body of [BODY, bytes, padded, bytes.buffer, Buffer.from(BODY)])
        expect(await verifyWebhook(SECRET, form, body, { now: AT })).toMatchObject({ id: ID });
  });

  it('accepts either secret while one is replaced, in any order of signatures', async () => {
    const other = newSecret();
    const both = async () => [
      (await headersOf())['webhook-signature'],
      (await signWebhook(other, ID, BODY, AT))['webhook-signature'],
    ];
    for (const signatures of [await both(), (await both()).reverse()]) {
      const headers = await headersOf({ 'webhook-signature': signatures.join(' ') });
      for (const secret of [SECRET, other, [newSecret(), other]])
        expect(await verifyWebhook(secret, headers, BODY, { now: AT })).toMatchObject({ id: ID });
      expect(await reasonOf(verifyWebhook([newSecret()], headers, BODY, { now: AT }))).toBe('no_match');
    }
  });

  it('accepts a delivery up to five minutes old or early, or as many seconds as the option allows', async () => {
    const at = (seconds: number) => AT + seconds * 1000;
    for (const [seconds, reason] of [
      [300, 'valid'],
      [-300, 'valid'],
      [301, 'too_old'],
      [-301, 'too_new'],
    ] as const)
      expect(await reasonOf(verify({}, BODY, at(seconds)))).toBe(reason);
    const headers = await headersOf();
    const options = { now: at(301), toleranceSeconds: 301 };
    expect(await reasonOf(verifyWebhook(SECRET, headers, BODY, options))).toBe('valid');
    vi.useFakeTimers({ now: at(302), toFake: ['Date'] });
    expect(await reasonOf(verifyWebhook(SECRET, headers, BODY))).toBe('too_old');
  });

  it.each([
    ['missing_header', { 'webhook-id': '' }],
    ['missing_header', { 'webhook-timestamp': '' }],
    ['missing_header', { 'webhook-signature': '' }],
    ['bad_timestamp', { 'webhook-timestamp': 'hello' }],
    ['bad_timestamp', { 'webhook-timestamp': '1e9' }],
    ['bad_timestamp', { 'webhook-timestamp': '-1' }],
    ['no_match', { 'webhook-signature': 'v1' }],
    ['no_match', { 'webhook-signature': 'v1a,AAAA' }],
    ['no_match', { 'webhook-id': 'evt_other' }],
  ])('rejects with %s for the headers %j', async (reason, changes) => {
    expect(await reasonOf(verify(changes as Record<string, string>))).toBe(reason);
  });

  it.each([
    'not JSON',
    '[]',
    'null',
    '{"type":7,"timestamp":"x","data":{}}',
    '{"type":"x","timestamp":"x","data":null}',
  ])('rejects the signed body %s', async (body) => {
    const headers = await signWebhook(SECRET, ID, body, AT);
    expect(await reasonOf(verifyWebhook(SECRET, headers, body, { now: AT }))).toBe('bad_body');
  });

  it('rejects a parsed body, and asks for the one that was received', async () => {
    const verified = verifyWebhook(SECRET, await headersOf(), JSON.parse(BODY), { now: AT });
    await expect(verified).rejects.toMatchObject({
      reason: 'bad_body',
      message: expect.stringContaining('exactly as it was received'),
    });
  });

  it.each(['', 'whsec_', 'whsec_%', 'secret', 'whpk_AAAA', 'whpk_', undefined, []])(
    'rejects the secret %j without showing it',
    async (secret) => {
      const verified = verifyWebhook(secret as string, await headersOf(), BODY, { now: AT });
      const error = await verified.catch((caught: unknown) => caught);
      expect(error).toMatchObject({ reason: 'bad_secret' });
      expect((error as Error).message).not.toContain('%');
    },
  );

  /** The compiler knows the data of each type. Types of newer servers reach the default branch. */
  const describeEvent = (event: WebhookEvent): string => {
    switch (event.type) {
      case 'webhook.test':
        return event.data.webhookId;
      case 'events.throttled':
        return `${event.data.type} ${event.data.count}`;
      case 'identity.revoked': {
        const action: 'identity.revoked' = event.data.action;
        return `${action} ${event.data.entityId} ${event.data.previousSeq}`;
      }
      default:
        return `${event.type} ${event.data.seq}`;
    }
  };

  it.each([
    ['webhook.test', { webhookId: 'w' }, 'w'],
    ['events.throttled', { type: 'identity.verify', count: 9 }, 'identity.verify 9'],
    [
      'identity.revoked',
      { action: 'identity.revoked', entityId: 'i', previousSeq: 6 },
      'identity.revoked i 6',
    ],
    ['user.promoted', { seq: 7 }, 'user.promoted 7'],
  ])('returns the data of %s, also of a type that this version does not know', async (type, data, text) => {
    const body = JSON.stringify({ type, timestamp: TIMESTAMP, data });
    const headers = await signWebhook(SECRET, ID, body, AT);
    expect(describeEvent(await verifyWebhook(SECRET, headers, body, { now: AT }))).toBe(text);
  });
});

describe('verifyWebhook with a public key', () => {
  it('accepts the signature of its private key only', async () => {
    const { publicKey, signatureOf } = ed25519();
    const signature = `${(await headersOf())['webhook-signature']} ${signatureOf(SIGNED)}`;
    const headers = await headersOf({ 'webhook-signature': signature });
    for (const secret of [publicKey, SECRET, [newSecret(), publicKey]])
      expect(await verifyWebhook(secret, headers, BODY, { now: AT })).toMatchObject({ id: ID });
    for (const [secret, body] of [
      [ed25519().publicKey, BODY],
      [publicKey, `${BODY} `],
    ] as const)
      expect(await reasonOf(verifyWebhook(secret, headers, body, { now: AT }))).toBe('no_match');
  });

  it('reports a platform without Ed25519, unless a secret matches', async () => {
    const { publicKey, signatureOf } = ed25519();
    const headers = await headersOf();
    const importKey = crypto.subtle.importKey.bind(crypto.subtle);
    const spy = vi
      .spyOn(crypto.subtle, 'importKey')
      .mockImplementation(((...args: Parameters<typeof importKey>) =>
        (args[2] as unknown) === 'Ed25519'
          ? Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'))
          : importKey(...args)) as typeof importKey);
    try {
      const signed = { ...headers, 'webhook-signature': signatureOf(SIGNED) };
      expect(await reasonOf(verifyWebhook(publicKey, signed, BODY, { now: AT }))).toBe('no_ed25519');
      expect(await reasonOf(verifyWebhook([publicKey, SECRET], headers, BODY, { now: AT }))).toBe('valid');
    } finally {
      spy.mockRestore();
    }
  });
});
