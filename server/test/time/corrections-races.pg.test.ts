// @module-tag if-touched @core server/src/features/corrections/ server/src/features/attendance/ server/src/features/proofs/: races of two nodes
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { endUnanswered } from '../../src/features/corrections/ends.js';
import { sharedDatabase } from '../support/database.js';
import { decideOwn, proposeOwn, punchAt } from '../support/punches.js';
import { manualClock, type Reply, type Service, startService } from '../support/service.js';
import { memberWith, timeScene } from '../support/time-scene.js';

const ROUNDS = 10;
let one: Service;
let two: Service;
beforeAll(async () => {
  const { db, url } = await sharedDatabase();
  const clock = manualClock();
  one = await startService({ db, clock });
  two = await startService({ db: openPostgres({ url: url as string }), clock });
});
afterAll(async () => {
  await one.close();
  await two.close();
  await two.db.close();
});

const outcomes = (replies: readonly Reply[]) =>
  replies.map(({ status, body }) => `${status} ${body.error ?? body.correction.state}`).sort();

it('a correction that the person and the company end on two nodes at the same time ends once [time/corrections]', async () => {
  const { account, desk, ada } = await timeScene(one);
  const hr = await memberWith(one, account, { hours: true });
  const list = async () =>
    (await one.call('GET', '/v1/attendance?voided=false', { as: account.key })).body.attendance;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { attendance } = (await punchAt(one, desk, ada)).body;
    const proposed = await one.call('POST', '/v1/attendance/corrections', {
      as: hr.token,
      body: { userId: ada.userId, cause: 'double', changes: [{ old: attendance.id, new: null }] },
    });
    const { correction } = proposed.body;
    const replies = await Promise.all([
      decideOwn(one, ada, account, correction),
      two.call('POST', `/v1/attendance/corrections/${correction.id}/withdraw`, { as: hr.token }),
    ]);
    expect([
      ['200 agreed', '409 correction_closed'],
      ['200 withdrawn', '409 correction_closed'],
    ]).toContainEqual(outcomes(replies));
    const isAgreed = replies[0]?.status === 200;
    expect((await list()).some(({ id }: { id: string }) => id === attendance.id)).toBe(!isAgreed);
  }
});

it('two corrections of one event, each agreed to on another node, replace it once', async () => {
  const { account, desk, ada } = await timeScene(one);
  const hr = await memberWith(one, account, { hours: true });
  for (let round = 0; round < ROUNDS; round += 1) {
    const { attendance } = (await punchAt(one, desk, ada)).body;
    const { id, type, reason, occurredAt } = attendance;
    one.clock.advance(6 * 60_000);
    const later = { type, reason, occurredAt: new Date(Date.parse(occurredAt) + 60_000).toISOString() };
    const asked = await one.call('POST', '/v1/attendance/corrections', {
      as: hr.token,
      body: { userId: ada.userId, cause: 'double', changes: [{ old: id, new: null }] },
    });
    const own = await proposeOwn(one, ada, account, {
      ...{ userId: ada.userId, cause: 'wrong_time', note: null },
      changes: [{ old: { id, type, reason, occurredAt }, new: later }],
    });
    const replies = await Promise.all([
      decideOwn(one, ada, account, asked.body.correction),
      two.call('POST', `/v1/attendance/corrections/${own.body.correction.id}/decide`, {
        as: hr.token,
        body: { decision: 'agree' },
      }),
    ]);
    expect(outcomes(replies)).toEqual(['200 agreed', '409 correction_outdated']);
  }
});

it('the job of two nodes ends what nobody answered once', async () => {
  const { account, desk, ada } = await timeScene(one);
  const hr = await memberWith(one, account, { hours: true });
  const { attendance } = (await punchAt(one, desk, ada)).body;
  await one.call('POST', '/v1/attendance/corrections', {
    as: hr.token,
    body: { userId: ada.userId, cause: 'double', changes: [{ old: attendance.id, new: null }] },
  });
  one.clock.advance(30 * 86_400_000);
  await Promise.all([one, two].map(({ app }) => endUnanswered(app.deps)));
  const query = 'action=attendance.correction_unanswered';
  expect((await one.call('GET', `/v1/audit?${query}`, { as: account.key })).body.audit).toHaveLength(1);
});
