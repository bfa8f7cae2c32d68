import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signWebhook, verifyWebhook } from './webhook.js';
import { WebhookVerificationError } from './webhook-keys.js';

/** The published vector of Standard Webhooks. */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  seconds: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const AT = VECTOR.seconds * 1000;
const TIMESTAMP = '2021-02-25T15:02:10.000Z';

const reasonOf = (verified: Promise<unknown>): Promise<unknown> =>
  verified.then(
    () => 'valid',
    (error) => (error instanceof WebhookVerificationError ? error.reason : error),
  );

afterEach(() => vi.useRealTimers());

describe('the published vector of Standard Webhooks', () => {
  it('is what we sign', async () => {
    const { secret, id, body, signature, seconds } = VECTOR;
    expect(await signWebhook(secret, id, body, AT)).toEqual({
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signature,
    });
  });

  it('has a valid signature, and only its body is not an event', async () => {
    const { secret, id, body, seconds } = VECTOR;
    const verifyVector = (signature: string) => {
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signature,
      };
      return reasonOf(verifyWebhook(secret, headers, body, { now: AT }));
    };
    expect(await verifyVector(VECTOR.signature)).toBe('bad_body');
    const others = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';
    expect(await verifyVector(`${others} ${others.replace('v1', 'v2')} ${VECTOR.signature} ${others}`)).toBe(
      'bad_body',
    );
    for (const signature of [
      others,
      'v1,',
      'v1,g0hM9',
      'v1,dawfeoifkpqwoekfpqoekf',
      VECTOR.signature.replace('v1', 'v2'),
    ])
      expect(await verifyVector(signature)).toBe('no_match');
  });
});

describe('with the reference library', () => {
  const secret = fc
    .uint8Array({ minLength: 1, maxLength: 64 })
    .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
  const delivery = fc.record({
    secret,
    id: fc.stringMatching(/^[\w-]{1,64}$/),
    data: fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean())),
    at: fc.integer({ min: 1_000, max: 4_000_000_000_000 }),
  });
  const bodyOf = (data: object) => JSON.stringify({ type: 'user.created', timestamp: TIMESTAMP, data });

  it('we accept what it signs', () =>
    fc.assert(
      fc.asyncProperty(delivery, async ({ secret, id, data, at }) => {
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at / 1000)),
          'webhook-signature': new Webhook(secret).sign(id, new Date(at), bodyOf(data)),
        };
        expect(await verifyWebhook(secret, headers, bodyOf(data), { now: at })).toMatchObject({ id, data });
      }),
    ));

  it('it accepts what we sign', () =>
    fc.assert(
      fc.asyncProperty(delivery, async ({ secret, id, data, at }) => {
        vi.useFakeTimers({ now: at, toFake: ['Date'] });
        const headers = await signWebhook(secret, id, bodyOf(data), at);
        expect(new Webhook(secret).verify(bodyOf(data), headers)).toEqual(JSON.parse(bodyOf(data)));
      }),
    ));

  it('neither accepts a changed body, id or time', () =>
    fc.assert(
      fc.asyncProperty(
        delivery,
        fc.constantFrom('id', 'time', 'body'),
        async ({ secret, id, data, at }, part) => {
          vi.useFakeTimers({ now: at, toFake: ['Date'] });
          const signed = await signWebhook(secret, id, bodyOf(data), at);
          const time = String(Number(signed['webhook-timestamp']) - 1);
          const changes = { id: { 'webhook-id': `${id}x` }, time: { 'webhook-timestamp': time }, body: {} }[
            part
          ];
          const body = part === 'body' ? `${bodyOf(data)} ` : bodyOf(data);
          const headers = { ...signed, ...changes };
          expect(await reasonOf(verifyWebhook(secret, headers, body, { now: at }))).toBe('no_match');
          expect(() => new Webhook(secret).verify(body, headers)).toThrow('No matching signature');
        },
      ),
    ));
});
