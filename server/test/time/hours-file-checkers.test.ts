// @module-tag needs-python3
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyHours } from '@svc/sdk/hours';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contest, decideOwn, punchAt } from '../support/punches.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { type Service, startService } from '../support/service.js';
import { runSvc } from '../support/svc.js';
import { memberWith, type TimeScene, timeScene } from '../support/time-scene.js';

useRealProofs();
const minute = 60_000;
let service: Service;
let scene: TimeScene;
let folder: string;
let earlier: string;
let later: string;
let text: string;

function save(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function fetchFile(more = ''): Promise<string> {
  const month = new Date(service.clock.now()).toISOString().slice(0, 7);
  const path = `/v1/attendance/sheets?siteId=${scene.site.id}&month=${month}&format=svc-hours${more}`;
  const reply = await service.call('GET', path, { as: scene.account.key });
  expect(reply.status, reply.text).toBe(200);
  return reply.text;
}

async function punch(type: 'check_in' | 'check_out') {
  service.clock.advance(30 * minute);
  const reply = await punchAt(service, scene.desk, scene.ada, { type });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.attendance;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-hours-'));
  service = await startService();
  scene = await timeScene(service);
  const { account, ada } = scene;
  const hr = await memberWith(service, account, { hours: true });
  await punch('check_in');
  const first = await fetchFile();
  const { id: old, occurredAt } = await punch('check_out');
  const proposed = await service.call('POST', '/v1/attendance/corrections', {
    as: hr.token,
    body: {
      ...{ userId: ada.userId, cause: 'wrong_time' },
      changes: [
        {
          old,
          new: {
            type: 'check_out',
            reason: 'work',
            occurredAt: new Date(Date.parse(occurredAt) - minute).toISOString(),
          },
        },
      ],
    },
  });
  await decideOwn(service, ada, account, proposed.body.correction);
  await contest(service, ada, account, (await punch('check_in')).id);
  const { size } = JSON.parse(first.split('\n')[0] as string).tree;
  text = await fetchFile(`&from=${size}`);
  earlier = save('earlier.jsonl', first);
  later = save('later.jsonl', text);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const byPython = (file: string) => {
  const args = ['examples/verify_time.py', file, '--head', earlier, '--allow-development-keys'];
  const { error, status, stdout, stderr } = spawnSync('python3', args, { encoding: 'utf8' });
  if (error) throw new Error(`The test needs python3, which could not be run: ${error.message}`);
  return { status, lines: stdout.trimEnd().split('\n'), stderr };
};
const byCli = (file: string) =>
  runSvc(['time', 'verify', file, '--head', earlier, '--allow-development-keys']);

it('svc time verify and verify_time.py hold a file of the service against an earlier one, and say the same [time/kept-tree]', async () => {
  const { consistency, tree, publicKey } = JSON.parse(text.split('\n')[0] as string);
  const keys = { [tree.keyId]: publicKey };
  const verdict = await verifyHours([text], { allowDevelopmentKeys: true, keys });
  expect(verdict).toMatchObject({ ok: true, counts: { proved: 2, agreed: 1, contested: 1 } });
  const { code, out } = await byCli(later);
  expect(code, out).toBe(0);
  expect(out).toContain(`Up to entry ${consistency.from} it rests on the head that you kept`);
  expect(byPython(later)).toEqual({ status: 0, lines: out.trimEnd().split('\n'), stderr: '' });
});

it('and both find what was altered', async () => {
  const altered = save('altered.jsonl', text.replace('"type":"check_out"', '"type":"check_in"'));
  const { code, out } = await byCli(altered);
  expect(code).toBe(1);
  expect(out).toMatch(/^altered: |\naltered: /);
  const { status, lines } = byPython(altered);
  expect([status, lines.at(-1)]).toEqual([1, out.trimEnd().split('\n').at(-1)]);
});
