import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { endProcesses, freePort, freshSettings, install, startProcess } from '../process.js';
import { seeded } from '../seeded.js';
import { callAt, type Reply, signUpAt } from './remote.js';

export interface ErasureReport {
  readonly kills: number;
  readonly people: number;
  /** Erasures whose response arrived before the kill. */
  readonly acknowledged: number;
  /** Erasures that were done, although no response arrived. */
  readonly unheard: number;
}

/** People who are being erased at the time of each kill, and events of each. A key erases at most 100 people a day. */
const PEOPLE = 3;
const EVENTS = 5;

interface Person {
  readonly userId: string;
  readonly name: string;
}

type Call = (method: string, path: string, as: string, body?: object) => Promise<Reply>;

async function createPerson(call: Call, key: string, name: string): Promise<Person> {
  const { body } = await call('POST', '/v1/users', key, { fullName: name, email: `${name}@example.com` });
  const userId = body.user.id as string;
  const event = { userId, method: 'manual', result: 'pass', referenceId: name };
  for (let n = 0; n < EVENTS; n += 1) await call('POST', '/v1/verifications', key, event);
  return { userId, name };
}

/** A reader sees all of the person or nothing. @returns whether the person was erased */
async function checkWhole(call: Call, key: string, { userId, name }: Person): Promise<boolean> {
  const { user } = (await call('GET', `/v1/users/${userId}`, key)).body;
  const { verifications } = (await call('GET', `/v1/verifications?userId=${userId}`, key)).body;
  const texts = [
    user.fullName,
    ...verifications.map(({ referenceId }: { referenceId: string }) => referenceId),
  ];
  const isErased = user.erasedAt !== null;
  expect(texts).toEqual(isErased ? ['', ...Array(EVENTS).fill(null)] : Array(EVENTS + 1).fill(name));
  return isErased;
}

/** Kills the service while it erases people, and checks each of them afterwards. */
export async function checkKilledErasures({
  kills,
  seed,
}: {
  readonly kills: number;
  readonly seed: number;
}): Promise<ErasureReport> {
  const random = seeded(seed);
  const scratch = mkdtempSync(join(tmpdir(), 'svc-erasures-'));
  const file = join(scratch, 'erasures.jsonl');
  const installed = install();
  try {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const settings = await freshSettings(join(scratch, 'data'));
    const env = {
      ...settings,
      BASE_URL: url,
      PORT: String(port),
      PLAN_WINDOW_MULTIPLIER: '1000',
      ERASURES_FILE: file,
    };
    const call: Call = (method, path, as, body) => callAt(url, method, path, { as, ...(body && { body }) });
    let running = await startProcess(installed, env);
    await running.serving;
    const { token, key } = await signUpAt(url, 'erasures');
    const wanted = { name: 'Eraser', environment: 'live', scopes: ['users:erase'] };
    const eraser = (await call('POST', '/api/console/keys', token, wanted)).body.apiKey.key as string;
    const erase = ({ userId }: Person) => call('POST', `/v1/users/${userId}/erase`, eraser, {});
    const report = { kills, people: 0, acknowledged: 0, unheard: 0 };
    for (let round = 0; round < kills; round += 1) {
      const people: Person[] = [];
      while (people.length < PEOPLE)
        people.push(await createPerson(call, key, `person-${round}-${people.length}`));
      const acknowledged = new Set<string>();
      const erasing = people.map((person) =>
        erase(person).then(
          ({ status }) => status === 200 && acknowledged.add(person.userId),
          () => undefined,
        ),
      );
      await sleep(random.between(0, 40));
      running.kill('SIGKILL');
      await Promise.all([running.ended, ...erasing]);
      running = await startProcess(installed, env);
      await running.serving;
      for (const person of people) {
        const isErased = await checkWhole(call, key, person);
        if (acknowledged.has(person.userId)) expect(isErased).toBe(true);
        else if (isErased) report.unheard += 1;
        // The request that is repeated finishes what was cut off, also in the file.
        expect((await erase(person)).status).toBe(200);
        expect(await checkWhole(call, key, person)).toBe(true);
        expect(readFileSync(file, 'utf8').split(person.userId)).toHaveLength(2);
      }
      report.people += people.length;
      report.acknowledged += acknowledged.size;
    }
    return report;
  } finally {
    await endProcesses();
    rmSync(scratch, { recursive: true, force: true });
  }
}
