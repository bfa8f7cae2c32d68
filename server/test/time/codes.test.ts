import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStream } from '../support/pairing.js';
import { provePunch, punchAt, readContext, send } from '../support/punches.js';
import { setPolicy } from '../support/recoveries.js';
import { type Service, startService } from '../support/service.js';
import { openedDesk } from '../support/staff.js';
import { employ, type TimeScene, timeScene } from '../support/time-scene.js';

let service: Service;
let scene: TimeScene;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(60_000);
  scene = await timeScene(service);
});

const codesOf = (as: string) => service.call('POST', '/v1/attendance/codes', { as });
const stream = (id: string, as: string, headers = {}) =>
  openStream(service, `/v1/attendance/codes/${id}/stream`, { authorization: `Bearer ${as}`, ...headers });

/** The next punches of a stream, and the id of the last one. */
async function punchesOf(events: Awaited<ReturnType<typeof stream>>, count: number) {
  const punches = [];
  while (punches.length < count) punches.push(await events.next());
  const ids = punches.map(({ data }) => (data as { attendanceId: string }).attendanceId);
  return { ids, lastId: punches.at(-1)?.id };
}

describe('the code of a desk [time/codes] [POST /v1/attendance/codes] [GET /v1/attendance/codes/:codeId/stream]', () => {
  it('is one for each device, moves every 15 seconds and counts for a minute', async () => {
    const { session, device } = scene.desk;
    const [first, second] = [await codesOf(session), await codesOf(session)];
    expect(first.status, first.text).toBe(200);
    const { id, url, value, streamUrl, refreshesAt, expiresAt } = first.body.code;
    expect([id, second.body.code]).toEqual([device.id, first.body.code]);
    expect([url, streamUrl]).toEqual([
      expect.stringMatching(/\/phone\/#code=svc:\/\/attend\?c=[\w.-]+$/),
      expect.stringMatching(new RegExp(`/v1/attendance/codes/${id}/stream$`)),
    ]);
    expect(Date.parse(expiresAt) - Date.parse(refreshesAt)).toBe(45_000);
    service.clock.advance(15_000);
    expect((await codesOf(session)).body.code.value).not.toBe(value);
  });

  it('is followed by its device: each new code, and each punch by it in order, without names', async () => {
    const { desk, ada } = scene;
    const events = await stream(desk.device.id, desk.session);
    expect(await events.block(/^event: code$/m)).toContain(desk.device.id);
    const came = (await punchAt(service, desk, ada)).body.attendance;
    const first = await events.next();
    expect(first).toMatchObject({
      event: 'attendance',
      data: { attendanceId: came.id, type: 'check_in', reason: 'work', at: came.occurredAt },
    });
    expect(first?.data).not.toHaveProperty('name');
    events.disconnect();
    await setPolicy(service, scene.account, { attendance: { desk_names: 'first' } });
    const left = (await punchAt(service, desk, ada, { type: 'check_out' })).body.attendance;
    const resumed = await stream(desk.device.id, desk.session, { 'last-event-id': first?.id });
    const { data } = (await resumed.next()) as { data: object };
    expect(data).toMatchObject({ attendanceId: left.id, name: 'Ada' });
    resumed.disconnect();
  });

  it('of one desk is not followed by another, nor by a key without the scope [insufficient_scopes]', async () => {
    const other = await openedDesk(service, scene.account);
    const { id } = scene.desk.device;
    const refused = await service.call('GET', `/v1/attendance/codes/${id}/stream`, {
      as: other.session,
      endless: true,
    });
    expect([refused.status, refused.body.error]).toEqual([404, 'attendance_code_invalid']);
    expect((await codesOf(scene.account.key)).body.error).toBe('insufficient_scopes');
  });

  it('of a program has no place, and is followed by it [time/codes-of-keys]', async () => {
    const key = await service.createKey(scene.account, 'live', ['attendance:codes']);
    const { code } = (await codesOf(key)).body;
    const events = await stream(code.id, key);
    expect(await events.block(/^event: code$/m)).toContain(code.id);
    const { context } = (await readContext(service, { code: code.value })).body;
    expect(context).toMatchObject({ mode: 'remote', place: null });
    const reply = await send(service, await provePunch(scene.ada, context));
    expect(reply.status, reply.text).toBe(201);
    expect(await events.next()).toMatchObject({ event: 'attendance' });
    events.disconnect();
  });

  it('loses none of 200 punches that come at the same time, and shows none twice, also to a screen that was cut off', async () => {
    const { desk } = scene;
    const people = [];
    for (let n = 0; n < 10; n += 1) people.push(await employ(service, scene, { fullName: `Person ${n}` }));
    const { code } = (await codesOf(desk.session)).body;
    const { context } = (await readContext(service, { code: code.value })).body;
    const bodies = [];
    for (const person of people)
      for (let n = 0; n < 20; n += 1) bodies.push(await provePunch(person, context));

    const whole = await stream(desk.device.id, desk.session);
    const cut = await stream(desk.device.id, desk.session);
    const replies = await Promise.all(bodies.map((body) => send(service, body)));
    const made = replies.map(({ body }) => body.attendance?.id).sort();
    expect(new Set(made).size).toBe(200);

    const seen = await punchesOf(whole, 200);
    expect(seen.ids.sort()).toEqual(made);
    const before = await punchesOf(cut, 70);
    cut.disconnect();
    const resumed = await stream(desk.device.id, desk.session, { 'last-event-id': before.lastId });
    const after = await punchesOf(resumed, 130);
    expect([...before.ids, ...after.ids].sort()).toEqual(made);
    const left = (await punchAt(service, desk, scene.ada, { type: 'check_out' })).body.attendance;
    for (const events of [whole, resumed]) {
      expect((await punchesOf(events, 1)).ids).toEqual([left.id]);
      events.disconnect();
    }
  });
});
