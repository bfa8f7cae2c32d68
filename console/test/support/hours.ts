import { sql } from '../../../server/src/db/sql.js';
import type { Account } from '../../../server/test/support/service.js';
import type { PagesService } from './service.js';

/** When the tests of working time happen: a Wednesday at noon in Berlin. */
export const NOON = Date.parse('2026-06-10T10:00:00Z');

export interface Employee {
  readonly id: string;
  readonly name: string;
}

/** A person of a site. */
export async function employ(
  service: PagesService,
  account: Account,
  name: string,
  more: object = {},
): Promise<Employee> {
  const reply = await service.call('POST', '/v1/users', {
    as: account.key,
    body: { fullName: name, externalId: crypto.randomUUID(), ...more },
  });
  if (reply.status !== 201) throw new Error(`creating a person returned ${reply.status} ${reply.text}`);
  return { id: reply.body.user.id, name };
}

type Act = 'come' | 'go' | 'beginBreak' | 'endBreak';

const KINDS: Readonly<Record<Act, object>> = {
  come: { type: 'check_in', reason: 'work' },
  go: { type: 'check_out', reason: 'work' },
  beginBreak: { type: 'check_out', reason: 'break' },
  endBreak: { type: 'check_in', reason: 'break' },
};

/** An event that a key records, at a time in UTC such as `2026-05-12T06:00`. Such events are `asserted`. */
export async function record(
  service: PagesService,
  account: Account,
  { id: userId }: Employee,
  act: Act,
  at: string,
  more: object = {},
): Promise<string> {
  const reply = await service.call('POST', '/v1/attendance', {
    as: account.key,
    body: { userId, ...KINDS[act], occurredAt: `${at}:00.000Z`, ...more },
  });
  if (reply.status !== 201) throw new Error(`recording returned ${reply.status} ${reply.text}`);
  return reply.body.attendance.id;
}

/** Makes events of a key those of the person’s phone, because a test can’t make a month of proofs. Their seals are then wrong. */
export const asProved = ({ db }: PagesService, { tenantId }: Account, people: readonly Employee[]) =>
  db.query(
    sql.mutation`update attendance set evidence = 'proved', mode = 'desk'
      where tenant_id = ${tenantId} and user_id = any(${people.map(({ id }) => id)}::uuid[])`,
  );

/** Gives a member rights over hours. Default: the owner who signed up. */
export async function giveRights(
  service: PagesService,
  account: Account,
  rights: object = { hours: true },
  memberId = account.tenantId,
): Promise<void> {
  const reply = await service.call('PATCH', `/api/console/members/${memberId}`, {
    as: account.token,
    body: rights,
  });
  if (reply.status !== 200) throw new Error(`giving rights returned ${reply.status} ${reply.text}`);
}
