// @module-tag if-touched @core server/src/features/openid-provider/ server/src/features/pairing/ server/src/features/sessions/ demo-idp/: generates RSA keys, and rotates those of a whole database
import { createPrivateKey, createPublicKey, type JsonWebKey, sign, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawDatabase } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import { createKeyPairs } from '../../src/features/openid-provider/keys/key-pairs.js';
import { type Issuer, readIssuer, subjectOf } from '../../src/features/openid-provider/keys/keys.js';
import { rotateKeys } from '../../src/features/openid-provider/keys/rotation.js';
import { reseal } from '../../src/features/sealing/reseal.js';
import { jobsOf } from '../../src/jobs.js';
import type { Environment } from '../../src/model/environment.js';
import { freshDatabase } from '../support/database.js';
import { createClient } from '../support/oidc-clients.js';
import { type Account, manualClock, type Service, startService } from '../support/service.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OLD = 'the secret before, 32 bytes and more!';
const NEW = 'the secret that follows, 32 bytes and more';
const ALGS = ['RS256', 'ES256'];

const clock = manualClock();
let db: RawDatabase;
/** Two nodes of one deployment. */
let nodes: Service[];
let account: Account;
beforeAll(async () => {
  // The job covers all accounts, so this file needs its own database.
  ({ db } = await freshDatabase());
  nodes = await Promise.all(
    [0, 1].map(() => startService({ db, clock, secret: OLD, keyPairs: createKeyPairs(clock) })),
  );
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await db.close();
});

/** Deletes all keys and creates an account with an issuer. */
async function begin(environment: Environment = 'live'): Promise<void> {
  const [node] = nodes as [Service];
  for (const table of ['oidc_clients', 'oidc_keys', 'oidc_issuers']) await db.script(`delete from ${table}`);
  account = await node.signUp({ plan: 'enterprise' });
  await createClient(node, account, {}, `?environment=${environment}`);
}
const rotate = (node = nodes[0]!, now = clock.now()) => rotateKeys(node.app.deps, new Date(now));
const scope = (environment: Environment = 'live') => ({ tenantId: account.tenantId, environment });
const issuer = async (node = nodes[0]!) => (await readIssuer(node.app.deps, scope())) as Issuer;
const keys = () =>
  db.query<{ id: string; alg: string; state: string }>(
    sql`select id, alg, state from oidc_keys where tenant_id = ${account.tenantId} order by alg, created_at, id`,
  );
const states = async (alg = 'ES256') =>
  (await keys()).filter((key) => key.alg === alg).map(({ state }) => state);
const events = () =>
  db.query<{
    environment: string;
    entity_id: string;
    metadata: object;
  }>(sql`select environment, entity_id, metadata
    from audit_events where tenant_id = ${account.tenantId} and action = 'oidc.key_rotated' order by environment, seq`);

describe('the issuer of an environment', () => {
  it('has a salt and a current key of each algorithm, whose id is the kid of both halves', async () => {
    await begin();
    const { salt, keys: own } = await issuer(nodes[1]);
    expect(salt).toHaveLength(32);
    expect(own.map(({ alg, state }) => [alg, state]).sort()).toEqual([
      ['ES256', 'current'],
      ['RS256', 'current'],
    ]);
    for (const { kid, alg, privateJwk } of own) {
      expect(privateJwk).toMatchObject({ kid, alg, use: 'sig', d: expect.any(String) });
      const [row] = await db.query<{ public_jwk: JsonWebKey; text: string }>(
        sql`select public_jwk, t::text as text from oidc_keys t where id = ${kid}`,
      );
      expect(row!.public_jwk).toMatchObject({ kid, alg, use: 'sig' });
      expect(row!.public_jwk).not.toHaveProperty('d');
      expect(row!.text).not.toContain(privateJwk.d);
      const data = Buffer.from('a token');
      const signature = sign('sha256', data, createPrivateKey({ key: privateJwk, format: 'jwk' }));
      const publicKey = createPublicKey({ key: row!.public_jwk, format: 'jwk' });
      expect(verify('sha256', data, publicKey, signature)).toBe(true);
      if (alg === 'RS256') expect(publicKey.asymmetricKeyDetails?.modulusLength).toBe(2_048);
    }
  });

  it('is not there before the first client, and is another one in each environment', async () => {
    await begin();
    const [{ app }] = nodes as [Service];
    expect(await readIssuer(app.deps, scope('test'))).toBeUndefined();
    await createClient(nodes[0]!, account, {}, '?environment=test');
    const test = (await readIssuer(app.deps, scope('test')))!;
    const live = await issuer();
    expect(test.salt.equals(live.salt)).toBe(false);
    const kids = [...test.keys, ...live.keys].map(({ kid }) => kid);
    expect(new Set(kids).size).toBe(4);
  });

  it('lists the current keys first, then the next and the retired ones', async () => {
    await begin();
    const listed = async () => (await issuer()).keys.map(({ state }) => state);
    clock.advance(90 * DAY);
    await rotate();
    expect(await listed()).toEqual(['current', 'current', 'next', 'next']);
    clock.advance(DAY);
    await rotate();
    expect(await listed()).toEqual(['current', 'current', 'retired', 'retired']);
  });
});

describe('a key', () => {
  it('is followed after 90 days by one that was published for 24 hours, and is deleted 2 hours later', async () => {
    await begin();
    clock.advance(90 * DAY - 1);
    await rotate();
    expect(await states()).toEqual(['current']);
    clock.advance(1);
    await rotate();
    expect(await states()).toEqual(['current', 'next']);
    clock.advance(DAY - 1);
    await rotate();
    expect(await states()).toEqual(['current', 'next']);
    clock.advance(1);
    await rotate();
    expect(await states()).toEqual(['retired', 'current']);
    clock.advance(2 * HOUR - 1);
    await rotate();
    expect(await states()).toEqual(['retired', 'current']);
    clock.advance(1);
    await rotate();
    expect(await states()).toEqual(['current']);
  });

  it('that follows another is audited, in the chain of its environment [oidc.key_rotated]', async () => {
    await begin('test');
    clock.advance(90 * DAY);
    await rotate();
    expect(await events()).toEqual([]);
    clock.advance(DAY);
    await rotate();
    const current = (await keys()).filter(({ state }) => state === 'current');
    expect(new Set(await events())).toEqual(
      new Set(current.map(({ id, alg }) => ({ environment: 'test', entity_id: id, metadata: { alg } }))),
    );
    clock.advance(2 * HOUR);
    await rotate();
    expect(await events()).toHaveLength(2);
  });

  it('follows once, although two nodes rotate at the same time', async () => {
    await begin();
    for (const ms of [90 * DAY, DAY, 2 * HOUR, 90 * DAY, DAY, 2 * HOUR]) {
      clock.advance(ms);
      await Promise.all(nodes.flatMap((node) => [rotate(node), rotate(node)]));
      for (const alg of ALGS)
        expect((await states(alg)).filter((state) => state === 'current')).toHaveLength(1);
    }
    expect(await events()).toHaveLength(4);
    expect(await keys()).toHaveLength(2);
  });

  it('is rotated by a job of every node, once a minute', async () => {
    await begin();
    clock.advance(90 * DAY);
    const job = jobsOf(nodes[1]!.app.deps, { sync: async () => {} }).find(
      ({ name }) => name === 'oidc_keys',
    )!;
    await job.run(new AbortController().signal);
    expect([job.everyMs, await states()]).toEqual([60_000, ['current', 'next']]);
    clock.advance(DAY);
    await job.run(AbortSignal.abort());
    expect(await states()).toEqual(['current', 'next']);
  });

  it('of more environments than a batch holds is rotated in one run', async () => {
    await begin();
    const at = new Date(clock.now());
    const { id } = (await keys()).find(({ alg }) => alg === 'ES256')!;
    for (let count = 0; count < 45; count += 1) {
      const { tenantId } = await nodes[0]!.signUp();
      const copy = JSON.stringify({ tenant_id: tenantId, id: nodes[0]!.app.deps.ids(), changed_at: at });
      await db.query(
        sql`insert into oidc_keys select (jsonb_populate_record(t, ${copy})).* from oidc_keys t where id = ${id}`,
      );
    }
    const count = async () =>
      db.query(sql`select state, count(*) as n from oidc_keys where alg = 'ES256' group by 1 order by 1`);
    clock.advance(90 * DAY);
    await rotate();
    expect(await count()).toEqual([
      { state: 'current', n: 46 },
      { state: 'next', n: 46 },
    ]);
    clock.advance(DAY);
    await rotate();
    clock.advance(2 * HOUR);
    await rotate();
    expect(await count()).toEqual([{ state: 'current', n: 46 }]);
  });

  // Only with all tests, because it takes a quarter of a minute.
  it.skipIf(process.env.SVC_TESTS === 'quick')(
    'is published 24 hours before it signs and 1 hour after, at every hour of a year',
    async () => {
      await begin();
      interface Life {
        readonly from: number;
        signsFrom?: number;
        signsTo?: number;
        until?: number;
      }
      const lives = new Map<string, Life>();
      const first = new Set((await keys()).map(({ id }) => id));
      const start = clock.now();
      for (let hour = 0; hour <= 365 * 24; hour += 1) {
        if (hour > 0) clock.advance(HOUR);
        await rotate();
        const now = clock.now();
        const published = await keys();
        for (const alg of ALGS) {
          const signing = published.filter((key) => key.alg === alg && key.state === 'current');
          expect(signing.length, `${alg} after ${hour} hours`).toBe(1);
          // It has signed until now, also if this run has just replaced it.
          const life = lives.get(signing[0]!.id) ?? { from: now };
          lives.set(signing[0]!.id, { ...life, signsFrom: life.signsFrom ?? now, signsTo: now + HOUR });
        }
        for (const { id } of published) if (!lives.has(id)) lives.set(id, { from: now });
        for (const [id, life] of lives)
          if (life.until === undefined && !published.some((key) => key.id === id)) life.until = now;
      }
      expect(clock.now() - start).toBe(365 * DAY);
      expect(lives.size).toBe(2 * 5);
      for (const [id, { from, signsFrom, signsTo, until }] of lives) {
        if (signsFrom !== undefined && !first.has(id)) expect(signsFrom - from).toBeGreaterThanOrEqual(DAY);
        if (until !== undefined) expect(until - signsTo!).toBeGreaterThanOrEqual(HOUR);
      }
    },
  );
});

describe('after a rotation of the server secret', () => {
  it('the salt and the keys are readable, and stay so when they are sealed with a new key', async () => {
    await begin();
    clock.advance(90 * DAY);
    await rotate();
    const before = await issuer();
    const during = await startService({ db, clock, secret: NEW, env: { SVC_SECRET_PREVIOUS: OLD } });
    expect(await issuer(during)).toEqual(before);
    clock.advance(1);
    expect(await reseal(during.app.deps, { newKey: true })).toMatchObject({ values: 5, unopened: 0 });
    const after = await startService({ db, clock, secret: NEW });
    expect(await issuer(after)).toEqual(before);
    clock.advance(DAY);
    await rotate(after);
    expect(new Set((await issuer(after)).keys.map(({ kid }) => kid))).toEqual(
      new Set(before.keys.map(({ kid }) => kid)),
    );
    await during.close();
    await after.close();
  });
});

describe('a pairwise subject', () => {
  const salt = Buffer.alloc(32, 7);
  const userId = '019dc91f-d5c0-794b-8452-a6702a7266af';

  it('is the same for a user and sector, and another for any other', () => {
    const subject = subjectOf(salt, 'app.example.com', userId);
    expect(subject).toMatch(/^[\w-]{43}$/);
    expect(subjectOf(Buffer.alloc(32, 7), 'app.example.com', userId)).toBe(subject);
    const others = [
      subjectOf(Buffer.alloc(32, 8), 'app.example.com', userId),
      subjectOf(salt, 'example.com', userId),
      subjectOf(salt, 'app.example.com', userId.replace('f', 'e')),
      subjectOf(salt, `app.example.com${userId.slice(0, 1)}`, userId.slice(1)),
      subjectOf(salt, '', `app.example.com${userId}`),
    ];
    expect(new Set([subject, ...others]).size).toBe(6);
  });

  it('never changes, because applications know people by it', () => {
    expect(subjectOf(salt, 'app.example.com', userId)).toMatchInlineSnapshot(
      `"VtqS5flyLc014qsixBxJ5r0p3sUn0jSGztAFZRDmfB4"`,
    );
  });
});
