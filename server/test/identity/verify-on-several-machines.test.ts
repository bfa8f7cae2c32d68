import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, proveFor, registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

/** As on several machines, each chain has its own transaction. */
let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService({ spread: true });
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const send = (path: string, body: object) => service.call('POST', path, { as: account.key, body });
const proof = (person: Person) => proveFor(service, person, { tenantId: account.tenantId });
const verify = async (person: Person) => (await send('/v1/identity/verify', await proof(person))).status;
const rowsOf = async (table: string) =>
  (
    await service.db.query<{ n: number }>({
      text: `select count(*) as n from ${table} where tenant_id = $1`,
      values: [account.tenantId],
    })
  )[0]?.n;

describe('a verification on a database that is spread over several machines', () => {
  it('opens one session for each proof, however many requests send it simultaneously', async () => {
    const person = await registerPerson(service, account.key);
    const body = await proof(person);
    const before = await rowsOf('sessions');
    const replies = await Promise.all(Array.from({ length: 20 }, () => send('/v1/identity/verify', body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)]);
    expect(await rowsOf('sessions')).toBe((before ?? 0) + 1);
  });

  it('fails for another commitment, a revoked identity, an inactive user and an unknown DID, and opens nothing', async () => {
    const [person, other, revoked, inactive] = [
      await registerPerson(service, account.key),
      await registerPerson(service, account.key),
      await registerPerson(service, account.key),
      await registerPerson(service, account.key),
    ];
    expect((await send('/v1/identity/revoke', { did: revoked.did })).status).toBe(200);
    const change = { as: account.key, body: { status: 'inactive' } };
    expect((await service.call('PATCH', `/v1/users/${inactive.userId}`, change)).status).toBe(200);
    const before = [await rowsOf('sessions'), await rowsOf('refresh_tokens'), await rowsOf('spent_nonces')];
    expect(await verify({ ...other, did: person.did })).toBe(401);
    expect(await verify(revoked)).toBe(401);
    expect(await verify(inactive)).toBe(401);
    expect(await verify({ ...other, did: `did:svc:${'a'.repeat(64)}` })).toBe(401);
    expect([await rowsOf('sessions'), await rowsOf('refresh_tokens'), await rowsOf('spent_nonces')]).toEqual(
      before,
    );
    expect(await verify(person)).toBe(200);
  });
});
