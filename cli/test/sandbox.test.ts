// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: starts a process for each command, and plays through the sandbox
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../server/src/db/sql.js';
import { PLAN_LIMITS } from '../../server/src/model/plans.js';
import { SCOPES } from '../../server/src/model/scopes.js';
import { freePort } from '../../server/test/support/process.js';
import { type Account, type Service, startService } from '../../server/test/support/service.js';
import { runSvc, startSvc } from '../../server/test/support/svc.js';
import { asFailure } from '../src/command.js';
import type { Act, Expected } from '../src/phone/faults/faults.js';
import { FAULTS } from '../src/phone/faults/faults.js';
import { OUTCOMES, playOutcome } from '../src/sandbox/outcomes.js';
import { createStage, type Stage } from '../src/sandbox/stage.js';

const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');

/** The cells of the table under a heading, without backticks. */
const tableUnder = (heading: string): string[][] =>
  (page.split(`## ${heading}\n`)[1] ?? '')
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.replaceAll('`', '').trim()),
    );

const read = (cell: string): Expected => {
  const [status, error] = cell.split(' ');
  return { status: Number(status), ...(error !== undefined && { error }) };
};

const outcomes = tableUnder('Outcomes').map(([name, response]): [string, Expected] => [
  name as string,
  read(response as string),
]);
const ACTS: readonly Act[] = ['enroll', 'register', 'verify', 'pair', 'passkey'];
const faults = tableUnder('What a phone does wrong').flatMap(([fault, ...cells]) =>
  ACTS.flatMap((act, at): [string, Expected][] =>
    cells[at] === '–' ? [] : [[`${act}-${fault}`, read(cells[at] as string)]],
  ),
);

describe('the sandbox', () => {
  let service: Service;
  let baseUrl: string;
  let account: Account;
  let key: string;
  let stage: Stage;
  const waited: string[] = [];
  beforeAll(async () => {
    const port = await freePort();
    baseUrl = `http://127.0.0.1:${port}`;
    service = await startService({ env: { BASE_URL: baseUrl } });
    await service.app.http.listen({ port, host: '127.0.0.1' });
    account = await service.signUp({ plan: 'growth' });
    key = await service.createKey(account, 'test');
    stage = stageOf(key);
  });
  afterAll(() => service.close());

  /** Waiting takes no time and advances the clock. */
  const stageOf = (apiKey: string) =>
    createStage({ baseUrl, apiKey }, async (ms, why) => {
      waited.push(why);
      service.clock.advance(ms);
    });

  /** Uses up the monthly quota except for `left` calls. */
  const useQuotaExcept = ({ tenantId }: Account, left: number) => {
    const month = new Date(service.clock.now()).toISOString().slice(0, 7);
    const used = PLAN_LIMITS.free.monthlyRequests! - left;
    return service.db.query(
      sql`insert into usage_months (tenant_id, month, used) values (${tenantId}, ${month}, ${used})`,
    );
  };

  it('documents exactly the outcomes that exist', () => {
    expect([...outcomes, ...faults].map(([name]) => name).sort()).toEqual(Object.keys(OUTCOMES).sort());
    expect(tableUnder('What a phone does wrong').map(([fault]) => fault)).toEqual(Object.keys(FAULTS));
    const quick = Object.values(OUTCOMES).filter(
      ({ minutes, spends, needs }) => !(minutes || spends || needs),
    );
    expect(page).toContain(`plays the ${quick.length} that take no time`);
  });

  it.each(faults)('%s gets the documented response', async (name, expected) => {
    const { answered } = await playOutcome(stage, name);
    expect(answered).toMatchObject({ requestId: expect.any(String), ...expected });
  });

  it.each(outcomes)('%s gets the documented response', async (name, expected) => {
    const { needs, spends, minutes } = OUTCOMES[name]!;
    let on = stage;
    if (needs || spends) {
      // A separate account, because its used-up limit or policy would affect other outcomes.
      const own = await service.signUp({ plan: spends ? 'free' : 'growth' });
      on = stageOf(await service.createKey(own, 'test', needs?.includes('scopes') ? SCOPES : undefined));
      if (name === 'quota-spent') await useQuotaExcept(own, 250);
      if (needs)
        await service.call('PUT', '/api/console/security-policy', {
          as: own.token,
          body: { security_policy: { require_device_integrity: true } },
        });
    }
    waited.length = 0;
    const started = service.clock.now();
    const { answered, asExpected } = await playOutcome(on, name);
    expect(answered).toMatchObject(expected);
    expect(asExpected).toBe(true);
    if (minutes) expect(service.clock.now() - started).toBeGreaterThan(minutes * 60_000);
    // A free plan allows 100 calls a window, so the 250 that are left take two waits.
    if (name === 'quota-spent') expect(waited.filter((why) => why.includes('plan'))).toHaveLength(2);
  });

  it('reports a response that differs from the documented one', async () => {
    const own = await service.signUp();
    const limitedKey = await service.createKey(own, 'test', ['zkp:register']);
    expect(
      await playOutcome(stageOf(limitedKey), 'device-retired').catch((error) => asFailure(error).reply),
    ).toMatchObject({
      status: 403,
      error: 'insufficient_scopes',
    });
    // Without the policy that the outcome needs, a phone without a verdict is accepted.
    expect(await playOutcome(stage, 'attestation-missing')).toMatchObject({
      answered: { status: 200 },
      asExpected: false,
    });
  });

  it('plays outcomes on the command line, only with a key of the test environment', async () => {
    const env = { BASE_URL: baseUrl, SVC_API_KEY: key };
    const played = await startSvc(['sandbox', 'play', 'verified', 'verify-wrong-nonce', '--json'], env).ended;
    expect(played).toMatchObject({ code: 0, err: '' });
    expect(played.json.outcomes).toMatchObject([
      { name: 'verified', answered: { status: 200 }, asExpected: true },
      { name: 'verify-wrong-nonce', answered: { error: 'verification_failed' }, asExpected: true },
    ]);
    const shown = await runSvc(['sandbox', 'play', 'key-missing', 'attestation-missing'], env);
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(/^ok {4}key-missing +401 missing_api_key {2}\(request [0-9a-f-]{36}\)$/m);
    expect(shown.out).toMatch(/^fail {2}attestation-missing +200, expected 400 device_attestation_required/m);
    expect(await runSvc(['sandbox', 'play', 'verified'], { ...env, SVC_API_KEY: account.key })).toMatchObject(
      {
        code: 4,
        err: expect.stringContaining('live'),
      },
    );
    expect(await runSvc(['sandbox', 'play', 'quota-spent'], env)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--spend'),
    });
    const listed = await runSvc(['sandbox', 'list', '--json']);
    expect(listed.json.outcomes).toHaveLength(Object.keys(OUTCOMES).length);
  });
});
