// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: proves for real
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../server/test/support/process.js';
import { codeAt, createSite, placeDesk } from '../../server/test/support/punches.js';
import { setPolicy } from '../../server/test/support/recoveries.js';
import { type Account, manualClock, type Service, startService } from '../../server/test/support/service.js';
import { type OpenDesk, openedDesk } from '../../server/test/support/staff.js';
import { runSvc } from '../../server/test/support/svc.js';
import { memberWith } from '../../server/test/support/time-scene.js';

describe('svc phone punch and time', () => {
  let folder: string;
  let service: Service;
  let account: Account;
  let desk: OpenDesk;
  let env: Record<string, string>;
  let file: string;
  let userId: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-time-'));
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    service = await startService({ env: { BASE_URL: baseUrl }, clock: manualClock(Date.now()) });
    await service.app.http.listen({ port, host: '127.0.0.1' });
    account = await service.signUp({ plan: 'enterprise', companyName: 'Example AG' });
    await setPolicy(service, account, { attendance: { confirmed_only: false } });
    desk = await openedDesk(service, account);
    const site = await createSite(service, account, { attendanceFrom: 'anywhere' });
    await placeDesk(service, account, desk, site);
    file = join(folder, 'phone.json');
    env = { BASE_URL: baseUrl, SVC_PHONE: file };
    const { json } = await runSvc(['phone', 'register', '--json'], { ...env, SVC_API_KEY: account.key });
    userId = String(json.userId);
    await service.call('PATCH', `/v1/users/${userId}`, { as: account.key, body: { siteId: site.id } });
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const run = (...args: readonly string[]) => runSvc(['phone', ...args], env);
  const rows = async () =>
    (await service.call('GET', `/v1/attendance?userId=${userId}`, { as: account.key })).body.attendance;

  it('comes by the code of a desk and goes remotely, and says what was checked', async () => {
    expect(await run('punch')).toMatchObject({ code: 2, err: expect.stringContaining('--code') });
    expect(await run('punch', '--code', 'svc://reg?x')).toMatchObject({ code: 2 });
    const came = await run('punch', '--code', await codeAt(service, desk));
    expect(came).toMatchObject({ code: 0, err: expect.stringContaining('Example AG, Lobby kiosk, ') });
    expect(came.out).toMatch(/^Came at .*\nChecked: the row, its seal, the entry and the signed head\.\n$/);
    const broke = await run('punch', '--remote', '--out', '--break', '--activity', 'A-1', '--json');
    expect(broke.json).toMatchObject({
      attendance: { type: 'check_out', reason: 'break', activity: 'A-1', mode: 'remote' },
      signature: 'valid',
    });
    expect(await rows()).toHaveLength(2);
  });

  it('sends a punch without an answer again, and not a second time', async () => {
    const came = await run('punch', '--code', await codeAt(service, desk), '--json');
    const { statement } = came.json as { statement: object };
    const before = (await rows()).length;
    const state = JSON.parse(readFileSync(file, 'utf8'));
    const [at] = state.time;
    const { context } = await contextNow();
    // As the file is after a crash: the service has recorded it, and no receipt is there.
    const unanswered = { statement: { ...statement, scannedAt: context.scannedAt, nonce: randomUUID() } };
    const lost = { ...unanswered, ticket: context.ticket };
    const time = [{ ...at, receipts: [], unanswered: lost }];
    writeFileSync(file, JSON.stringify({ ...state, time }), { mode: 0o600 });
    const again = await run('punch', '--remote', '--out');
    expect(again).toMatchObject({
      code: 0,
      err: expect.stringContaining('The answer before was lost. Came at'),
    });
    expect(await rows()).toHaveLength(before + 2);
    const [kept] = JSON.parse(readFileSync(file, 'utf8')).time;
    expect([kept.receipts.length, kept.unanswered]).toEqual([2, undefined]);
  });

  const contextNow = async () =>
    (
      await service.call(
        'GET',
        `/v1/phone/attendance/context?${new URLSearchParams({ code: await codeAt(service, desk) })}`,
      )
    ).body;

  it('lists the month with what was checked, and contests a row that a key made', async () => {
    const { body } = await service.call('POST', '/v1/attendance', {
      as: account.key,
      body: { userId, type: 'check_in' },
    });
    const { id } = body.attendance;
    const listed = await run('time');
    expect(listed.code).toBe(0);
    expect(listed.out).toMatch(new RegExp(`Came +the company +counts +in the signed tree +${id}\n`));
    expect(await run('time', '--contest', id)).toMatchObject({
      code: 0,
      out: expect.stringContaining('is wrong. It stays'),
    });
    expect((await run('time')).out).toMatch(
      new RegExp(`the company +contested +in the signed tree +${id}\n`),
    );
    expect(await run('time', '--month', '2026-13')).toMatchObject({ code: 2 });
  });

  it('proposes what a row should be instead, and answers what the company proposes', async () => {
    const came = await run('punch', '--remote', '--json');
    const { id, occurredAt } = (came.json as { attendance: { id: string; occurredAt: string } }).attendance;
    expect(await run('correct', '--row', id)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--at'),
    });
    expect(await run('correct', '--at', '2026-05-12T08:00')).toMatchObject({ code: 2 });
    expect(await run('correct', '--row', randomUUID(), '--never')).toMatchObject({ code: 2 });
    const at = new Date(Date.parse(occurredAt) - 60_000).toISOString();
    const proposed = await run(
      'correct',
      '--row',
      id,
      '--at',
      at,
      '--cause',
      'wrong_time',
      '--note',
      'Queue',
    );
    expect(proposed.out).toMatch(
      /^You proposed a correction \(wrong_time, .*\): Came at .* → Came at .*\n.* proposed\.\n$/,
    );

    const next = {
      type: 'check_out',
      reason: 'work',
      occurredAt: new Date(service.clock.now()).toISOString(),
    };
    const body = { userId, cause: 'forgotten', changes: [{ old: null, new: next }] };
    const hr = await memberWith(service, account, { hours: true });
    const propose = async () =>
      (await service.call('POST', '/v1/attendance/corrections', { as: hr.token, body })).body.correction;
    const contested = await propose();
    expect((await run('correct', '--contest', contested.id)).out).toContain('It is contested.');
    const agreed = await propose();
    expect((await run('correct', '--agree', agreed.id, '--json')).json).toMatchObject({
      correction: { id: agreed.id, state: 'agreed' },
    });
  });

  it('sets the PIN for desks, and shows whose log-in is the person’s', async () => {
    expect(await run('pin', '--pin', '12345')).toMatchObject({ code: 2 });
    expect((await run('pin', '--pin', '482915')).out).toContain('The PIN is set');
    expect(await run('member', 'svc://attend?c=x')).toMatchObject({ code: 2 });
    const { body } = await service.call('POST', '/api/console/members/me/link', { as: account.token });
    const linked = await run('member', body.link.url, '--json');
    expect(linked.json).toMatchObject({ member: { userId } });
  });
});
