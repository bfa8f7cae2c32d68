import { randomUUID } from 'node:crypto';
import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import { createIdentity } from '@svc/zk/phone';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { revokeDevice } from '../support/device-keys.js';
import { type Person, registerPerson } from '../support/phone.js';
import {
  codeAt,
  contest,
  createSite,
  listOwn,
  placeDesk,
  provePunch,
  punchAt,
  readContext,
  type Site,
  send,
} from '../support/punches.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';
import { type OpenDesk, openedDesk } from '../support/staff.js';

let service: Service;
let account: Account;
let desk: OpenDesk;
let site: Site;
let ada: Person;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A person whom the account created, with a phone. */
async function employ(more: object = {}): Promise<Person> {
  const { body } = await service.call('POST', '/v1/users', {
    as: account.key,
    body: { fullName: 'Ada Lovelace', externalId: randomUUID(), siteId: site.id, ...more },
  });
  return registerPerson(service, account.key, { externalId: body.user.externalId });
}

beforeEach(async () => {
  service.clock.advance(60_000);
  account = await service.signUp({ plan: 'enterprise' });
  desk = await openedDesk(service, account);
  site = await createSite(service, account);
  await placeDesk(service, account, desk, site);
  ada = await employ();
});

const outcome = ({ status, body }: Reply) => [status, body.error ?? body.attendance?.type];
const list = async (query = '') =>
  (await service.call('GET', `/v1/attendance${query}`, { as: account.key })).body.attendance;

describe('a punch [time/punch] [POST /v1/phone/attendance] [GET /v1/phone/attendance/context]', () => {
  it('is an event with the time of the service, and its receipt can be recomputed', async () => {
    const { body } = await readContext(service, { code: await codeAt(service, desk) });
    const scannedAt = service.clock.now();
    service.clock.advance(90_000);
    const reply = await send(service, await provePunch(ada, body.context));
    expect(reply.status, reply.text).toBe(201);
    const { attendance, receipt } = reply.body;
    expect(attendance).toMatchObject({
      ...{ userId: ada.userId, type: 'check_in', reason: 'work', mode: 'desk', evidence: 'proved' },
      ...{ deviceId: desk.device.id, siteId: site.id, verificationId: null, voidedBy: null },
      occurredAt: new Date(scannedAt).toISOString(),
    });
    expect(receipt).toMatchObject({ n: 2, head: { seq: receipt.entry.seq, hash: receipt.entry.hash } });
    expect(canonicalJson(attendance)).toContain(attendance.id);
    expect(await list()).toEqual([attendance]);
  });
});
