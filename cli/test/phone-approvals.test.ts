// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: proves for real
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalKey, openApproval } from '../../server/test/support/approvals.js';
import { freePort } from '../../server/test/support/process.js';
import { type Account, manualClock, type Service, startService } from '../../server/test/support/service.js';
import { runSvc } from '../../server/test/support/svc.js';

describe('svc phone approvals', () => {
  let folder: string;
  let service: Service;
  let account: Account;
  let key: string;
  let baseUrl: string;
  let phones = 0;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-approvals-'));
    const port = await freePort();
    baseUrl = `http://127.0.0.1:${port}`;
    service = await startService({ env: { BASE_URL: baseUrl }, clock: manualClock(Date.now()) });
    await service.app.http.listen({ port, host: '127.0.0.1' });
    account = await service.signUp({ plan: 'enterprise', companyName: 'Example AG' });
    key = await approvalKey(service, account);
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  async function newPhone() {
    phones += 1;
    const file = join(folder, `phone-${phones}.json`);
    const env = { BASE_URL: baseUrl, SVC_PHONE: file };
    const { json } = await runSvc(['phone', 'register', '--json'], { ...env, SVC_API_KEY: account.key });
    const run = (args: readonly string[], answer?: string) =>
      runSvc(['phone', 'approvals', ...args], env, answer === undefined ? undefined : async () => answer);
    return { userId: String(json.userId), file, run };
  }
  const ask = (userId: string, more: object = {}) => openApproval(service, key, [userId], more);
  const stateOf = async (id: string) =>
    (await service.call('GET', `/v1/approvals/${id}`, { as: key })).body.approval;

  it('lists, shows and approves what waits, after a yes [POST /v1/phone/approvals/list] [POST /v1/phone/approvals/:id/decide]', async () => {
    const { userId, run } = await newPhone();
    expect(await run(['list'])).toMatchObject({ code: 0, out: 'Nothing waits for this person.\n' });
    const { id, digest } = await ask(userId, {
      action: {
        title: 'Pay an invoice',
        fields: [{ label: 'Amount', value: '€1,200.50' }],
        note: 'First line\nExpires: never',
        documents: [{ name: 'invoice.pdf', sha256: 'ab'.repeat(32) }],
        reference: 'invoice-1815',
      },
    });
    const listed = await run(['list']);
    expect(listed.out).toMatch(new RegExp(`^ID .*\n${id} .*Example AG +Pay an invoice\n$`));
    const shown = await run(['show', id]);
    const lines = shown.out.split('\n');
    for (const line of [
      'Example AG asks you to approve:',
      '│ Pay an invoice',
      '│ Amount: €1,200.50',
      // A note can't look like a line of the program.
      '│ Expires: never',
      `│ SHA-256 ${'ab'.repeat(32)}`,
      '│ Reference: invoice-1815',
      `Digest:   ${digest}`,
    ])
      expect(lines).toContain(line);
    expect(lines.filter((line) => line.startsWith('Expires:'))).toHaveLength(1);
    expect((await run(['show', id, '--json'])).json.statement).toMatchObject({ approvalId: id });

    expect(await run(['approve', id], 'y')).toMatchObject({
      code: 2,
      err: expect.stringContaining('was not yes'),
    });
    expect(await run(['approve', id])).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect((await stateOf(id)).state).toBe('pending');
    const approved = await run(['approve', id], 'yes');
    expect(approved).toMatchObject({ code: 0, out: 'Approved.\n' });
    expect(approved.err).toContain('│ Pay an invoice');
    expect(await stateOf(id)).toMatchObject({ state: 'approved', decisions: [{ userId }] });
    expect(await run(['approve', id, '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining(`No approval ${id} waits for this person`),
    });
  });

  it('needs the number of an approval that asks for one, and says when it is wrong', async () => {
    const { userId, run } = await newPhone();
    const { id, matchCode = '' } = await ask(userId, { match: 'type' });
    expect(await run(['approve', id, '--yes'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('asks for a number'),
    });
    const wrong = matchCode === '00' ? '01' : '00';
    expect(await run(['approve', id, '--yes', '--number', wrong])).toMatchObject({
      code: 1,
      err: expect.stringContaining('401 pairing_match_failed'),
    });
    expect((await stateOf(id)).state).toBe('pending');
    expect(await run(['approve', id, '--yes', '--number', matchCode, '--json'])).toMatchObject({
      code: 0,
      json: { approval: { id, state: 'approved' } },
    });
  });

  it.each([
    [[], 'no'],
    [['--reason', 'not_me'], 'not_me'],
  ] as const)('declines with %j', async (options, reason) => {
    const { userId, run } = await newPhone();
    const { id } = await ask(userId, { match: 'type' });
    expect(await run(['decline', id, ...options], 'yes')).toMatchObject({ code: 0, out: 'Declined.\n' });
    expect(await stateOf(id)).toMatchObject({ state: 'declined', decisions: [{ reason }] });
  });

  it('of somebody else are neither listed nor decided', async () => {
    const [ada, grace] = [await newPhone(), await newPhone()];
    const { id } = await ask(ada.userId);
    expect((await grace.run(['list', '--json'])).json).toEqual({ approvals: [] });
    expect((await grace.run(['approve', id, '--yes'])).code).toBe(1);
    expect((await stateOf(id)).state).toBe('pending');
    // The secret is in the file and nowhere in the output.
    const secret = JSON.parse(readFileSync(grace.file, 'utf8')).enrollments[0].biometricSecret;
    expect((await grace.run(['list'])).out).not.toContain(secret);
  });
});
