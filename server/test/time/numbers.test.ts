import { afterAll, beforeAll, expect, it } from 'vitest';
import { logInAgain } from '../support/members.js';
import { contest, createSite, decideOwn, punchAt } from '../support/punches.js';
import { type Service, startService } from '../support/service.js';
import { memberWith, timeScene } from '../support/time-scene.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Entry {
  readonly action: string;
  readonly seq: number;
  readonly entityId: string;
  readonly metadata: { readonly siteId?: string; readonly period?: string; readonly number?: number };
}

it('entries about a month of a site are numbered in their order, without a gap [time/numbers-of-entries] [attendance.voided]', async () => {
  const { account, desk, ada, site } = await timeScene(service);
  const hr = await memberWith(service, account, { hours: true });
  const first = (await punchAt(service, desk, ada)).body.attendance;
  const month = first.occurredAt.slice(0, 7);
  service.clock.advance(60_000);
  // Both at the same time: the head of the chain decides which of them is first.
  const replies = await Promise.all([
    punchAt(service, desk, ada, { type: 'check_out' }),
    contest(service, ada, account, first.id),
    punchAt(service, desk, ada, { type: 'check_in' }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([201, 200, 201]);
  service.clock.advance(60_000);
  const { correction } = (
    await service.call('POST', '/v1/attendance/corrections', {
      as: hr.token,
      body: {
        ...{ userId: ada.userId, cause: 'wrong_time' },
        changes: [{ old: first.id, new: { type: 'check_in', reason: 'work', occurredAt: first.occurredAt } }],
      },
    })
  ).body;
  expect((await decideOwn(service, ada, account, correction)).status).toBe(200);
  await createSite(service, account, { name: 'Werk Süd' });
  service.clock.advance(40 * 86_400_000);
  const { flags } = (
    await service.call('GET', `/v1/attendance/months/${month}?siteId=${site.id}`, { as: account.key })
  ).body;
  const { token: session } = await logInAgain(service, hr);
  const closed = await service.call('POST', `/v1/attendance/months/${month}/close`, {
    session,
    body: { siteId: site.id, openFlags: flags.length },
  });
  expect(closed.status, closed.text).toBe(201);

  const { audit } = (await service.call('GET', '/v1/audit?limit=100', { as: account.key })).body;
  const numbered = (audit as Entry[])
    .filter(({ metadata }) => metadata.period === month && metadata.number !== undefined)
    .reverse();
  expect(numbered.map(({ metadata }) => metadata.number)).toEqual(numbered.map((_, at) => at + 1));
  expect(new Set(numbered.map(({ metadata }) => metadata.siteId))).toEqual(new Set([site.id]));
  const actions = numbered.map(({ action }) => action);
  expect(actions.slice(0, 4).sort()).toEqual([
    ...['attendance.contested', 'attendance.created', 'attendance.created', 'attendance.created'],
  ]);
  expect(actions.slice(4)).toEqual(['attendance.voided', 'attendance.created', 'attendance.month_closed']);
  expect(numbered[4]).toMatchObject({ entityId: first.id, metadata: { correctionId: correction.id } });
});
