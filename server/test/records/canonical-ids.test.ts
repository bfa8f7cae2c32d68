// @module-tag embedded-ci
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../../src/bin/inspect.js';
import { externalIdCheck } from '../../src/bin/operator-checks.js';
import { sql } from '../../src/db/sql.js';
import { listEqualIds as listDevices } from '../../src/features/devices/devices.js';
import { listEqualIds as listUsers } from '../../src/features/users/users.js';
import { registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

const [NFC, NFD] = ['Jos\u00e9', 'Jose\u0301'];

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: object) =>
  service.call(method, path, { as: account.key, ...(body && { body }) });
const find = (noun: string, filter: Record<string, string>) =>
  call('GET', `/v1/${noun}?${new URLSearchParams(filter)}`);
let count = 0;
const unique = () => `${++count}-`;

/** Ways to write a text that Unicode calls canonically equivalent (UAX #15), also those that no program would send. */
const pieces = [
  ['\u00e9', 'e\u0301'],
  ['\u01d8', 'u\u0308\u0301', '\u00fc\u0301'],
  ['\u212b', '\u00c5', 'A\u030a'],
  ['\u212a', 'K'],
  ['\ud55c', '\u1112\u1161\u11ab', '\ud558\u11ab'],
  ['q\u0323\u0307', 'q\u0307\u0323'],
  ['\u1e69', 's\u0323\u0307', '\u1e63\u0307', '\u1e61\u0323', 's\u0307\u0323'],
  ['\u2126', '\u03a9'],
  ['a', 'a'],
  ['-', '-'],
] as const;
const spelled = fc
  .array(fc.tuple(fc.nat(pieces.length - 1), fc.nat(), fc.nat()), { minLength: 1, maxLength: 6 })
  .map(
    (picks) =>
      [1, 2].map((which) =>
        picks
          .map((pick) => pieces[pick[0]]!)
          .map((forms, at) => forms[picks[at]![which]! % forms.length])
          .join(''),
      ) as [string, string],
  );

describe.each([
  ['users', { fullName: 'Ada' }],
  ['devices', { name: 'Gate' }],
] as const)('an external id of %s [records/external-ids]', (noun, body) => {
  const create = (externalId?: string) =>
    call('POST', `/v1/${noun}`, { ...body, ...(externalId && { externalId }) });
  const idOf = ({ body: reply }: { body: Record<string, { id: string }> }) => Object.values(reply)[0]!.id;

  it('is one id in every spelling that Unicode calls equivalent, and returned as it was sent', {
    tags: ['ci'],
  }, async () => {
    await fc.assert(
      fc.asyncProperty(spelled, async ([one, other]) => {
        const start = unique();
        const created = await create(start + one);
        expect(created.status, created.text).toBe(201);
        expect(await create(start + other)).toMatchObject({
          status: 409,
          body: { error: 'external_id_conflict' },
        });
        const found = (await find(noun, { externalId: start + other })).body[noun];
        expect(found).toEqual([expect.objectContaining({ id: idOf(created), externalId: start + one })]);
      }),
      { numRuns: 30 },
    );
  });

  it('is not taken by the record itself, in any spelling, and by any other', async () => {
    const start = unique();
    const own = `/v1/${noun}/${idOf(await create(start + NFC))}`;
    expect((await call('PATCH', own, { externalId: start + NFD })).status).toBe(200);
    expect((await call('PATCH', own, { externalId: start + NFD })).status).toBe(200);
    const other = `/v1/${noun}/${idOf(await create())}`;
    expect((await call('PATCH', other, { externalId: start + NFC })).body.error).toBe('external_id_conflict');
    expect((await call('PATCH', other, { externalId: null })).status).toBe(200);
  });

  it('is found by the beginning of a search in another spelling', async () => {
    const start = unique();
    const id = idOf(await create(`${start}${NFD} 7`));
    expect((await find(noun, { q: start + NFC })).body[noun]).toMatchObject([{ id }]);
    const composed = idOf(await create(`${start}x${NFC} 7`));
    expect((await find(noun, { q: `${start}x${NFD}` })).body[noun]).toMatchObject([{ id: composed }]);
  });

  it('of a pair from before is listed by svc doctor, found twice, and can be sent again unchanged', async () => {
    const start = unique();
    const ids = [idOf(await create(start + NFC)), idOf(await create())];
    const table = noun === 'users' ? sql`tenant_users` : sql`devices`;
    await service.db.query(sql`update ${table} set external_id = ${start + NFD}
      where tenant_id = ${account.tenantId} and id = ${ids[1]!}`);
    const list = noun === 'users' ? listUsers : listDevices;
    const pairs = await list(service.db, 20);
    expect(pairs).toEqual([
      { tenant_id: account.tenantId, environment: 'live', id: ids[1], other_id: ids[0] },
    ]);
    expect((await find(noun, { externalId: start + NFC })).body[noun]).toHaveLength(2);
    expect((await call('PATCH', `/v1/${noun}/${ids[1]}`, { externalId: start + NFD })).status).toBe(200);
    const { equalIds } = await inspect(service.db, service.app.deps.keyring, []);
    expect(externalIdCheck({ equalIds })).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining(`${ids[1]} and ${ids[0]}`),
    });
    await call('PATCH', `/v1/${noun}/${ids[1]}`, { externalId: null });
    expect(await list(service.db, 20)).toEqual([]);
  });
});

describe('a person who has an external id [records/external-ids]', () => {
  it('is not imported again, nor registered again, in another spelling', async () => {
    const start = unique();
    const { body } = await call('POST', '/v1/users', { fullName: 'Ada', externalId: start + NFC });
    const lines = [start + NFD, `${start}x${NFD}`, `${start}x${NFC}`];
    const imported = await call('POST', '/v1/users/import', {
      users: lines.map((externalId) => ({ fullName: 'Ada', externalId })),
    });
    expect(imported.body.users).toEqual([{ id: null }, { id: expect.any(String) }, { id: null }]);
    const opened = await call('POST', '/v1/registrations', {
      profile: { fullName: 'Ada', externalId: start + NFD },
    });
    expect(opened.body.error).toBe('external_id_conflict');
    const person = await registerPerson(service, account.key, { externalId: start + NFD });
    expect(person.userId).toBe(body.user.id);
  });

  it('is found by name and e-mail in another spelling', async () => {
    const mail = `${unique()}jose\u0301@example.com`;
    const { body } = await call('POST', '/v1/users', { fullName: `Zo\u00eb ${NFD}`, email: mail });
    const { id } = body.user;
    for (const filter of [{ email: mail.normalize('NFC') }, { q: NFC }, { q: 'zo\u0065\u0308' }])
      expect((await find('users', filter as never)).body.users, JSON.stringify(filter)).toMatchObject([
        { id },
      ]);
  });
});
