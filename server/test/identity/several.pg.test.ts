// @module-tag if-touched @core server/src/features/identities/ server/src/features/phones/ server/src/features/proofs/ server/src/features/registrations/: races of phones
import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';
import { type Person, proveFor, registerPerson } from '../support/phone.js';
import { type Account, manualClock, type Reply, type Service, startService } from '../support/service.js';
import {
  accountOf,
  addPhone,
  proveAdd,
  proveRevocation,
  proveRotation,
  withNewSecret,
} from '../support/several-phones.js';

const ROUNDS = 20;
let one: Service;
let two: Service;
let account: Account;
beforeAll(async () => {
  const { db, url } = await sharedDatabase();
  const clock = manualClock();
  one = await startService({ db, clock });
  two = await startService({ db: openPostgres({ url: url as string }), clock });
  account = await one.signUp({ plan: 'enterprise' });
});
afterAll(async () => {
  await one.close();
  await two.close();
  await two.db.close();
});

const use = () => ({ tenantId: account.tenantId });
const post = (node: Service, path: string, body: object) =>
  node.call('POST', `/v1/identity/${path}`, { as: account.key, body });
const inForce = (userId: string) =>
  one.db.query<{ did: string; commitment: string }>(sql`select did, commitment from identities
    where tenant_id = ${account.tenantId} and user_id = ${userId} and revoked_at is null order by id`);
const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).sort();
const verify = async (phone: Person) => post(two, 'verify', await proveFor(one, phone, use()));

describe('simultaneous requests to two nodes [phones/several-phones] [identities/rotation]', () => {
  it('six phones are added to a person who may have five: four succeed', async () => {
    const person = await registerPerson(one, account.key);
    const bodies = await Promise.all(
      Array.from({ length: 6 }, () => proveAdd(one, person, createIdentity(), use())),
    );
    const replies = await Promise.all(bodies.map((body, at) => post(at % 2 ? one : two, 'add', body)));
    expect(statuses(replies)).toEqual([201, 201, 201, 201, 409, 409]);
    for (const { status, body } of replies)
      if (status === 409) expect(body.error).toBe('identity_limit_reached');
    expect(await inForce(person.userId)).toHaveLength(5);
  });

  it('two rotations: one succeeds, and its commitment is in force', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = await registerPerson(one, account.key);
      const [left, right] = [withNewSecret(person), withNewSecret(person)];
      const bodies = await Promise.all(
        [left, right].map((renewed) => proveRotation(one, person, renewed, use())),
      );
      const replies = await Promise.all([post(one, 'rotate', bodies[0]!), post(two, 'rotate', bodies[1]!)]);
      expect(statuses(replies)).toEqual([200, 401]);
      const winner = replies[0]?.status === 200 ? left : right;
      expect(await inForce(person.userId)).toEqual([{ did: person.did, commitment: winner.commitment }]);
      expect((await verify(winner)).status).toBe(200);
    }
  });

  it('one request sent ten times, with and without a key: one succeeds', async () => {
    const person = await registerPerson(one, account.key);
    const body = await proveRotation(one, person, withNewSecret(person), use());
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        at % 3 === 0
          ? two.call('POST', '/v1/phone/identity/rotate', { body: { ...accountOf(account), ...body } })
          : post(at % 2 ? one : two, 'rotate', body),
      ),
    );
    expect(statuses(replies)).toEqual([200, ...Array.from({ length: 9 }, () => 401)]);
  });

  it('two phones revoke each other: at least one is revoked, and a revoked one revokes nothing', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const left = await registerPerson(one, account.key);
      const right = await addPhone(one, account, left);
      const revoke = async (node: Service, phone: Person, { did }: Person) =>
        node.call('POST', '/v1/phone/identity/revoke', {
          body: { ...accountOf(account), ...(await proveRevocation(one, phone, did, use())), revoke: did },
        });
      const replies = await Promise.all([revoke(one, left, right), revoke(two, right, left)]);
      expect(statuses(replies)).toEqual([200, 401]);
      expect(await inForce(left.userId)).toHaveLength(1);
    }
  });

  it('a phone adds another while it is revoked: either it was added before, or not at all', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = await registerPerson(one, account.key);
      const joining = createIdentity();
      const body = await proveAdd(one, person, joining, use());
      const [added, revoked] = await Promise.all([
        post(one, 'add', body),
        post(two, 'revoke', { did: person.did }),
      ]);
      expect(revoked.status).toBe(200);
      expect([201, 401]).toContain(added.status);
      const left = (await inForce(person.userId)).map(({ did }) => did);
      expect(left).toEqual(added.status === 201 ? [joining.did] : []);
    }
  });

  it('the same new commitment for two people: one gets it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const people = [await registerPerson(one, account.key), await registerPerson(one, account.key)];
      const secret = createIdentity();
      const bodies = await Promise.all(
        people.map((person) => proveRotation(one, person, { ...secret, did: person.did }, use())),
      );
      const replies = await Promise.all([post(one, 'rotate', bodies[0]!), post(two, 'rotate', bodies[1]!)]);
      expect(statuses(replies)).toEqual([200, 409]);
    }
  });
});
