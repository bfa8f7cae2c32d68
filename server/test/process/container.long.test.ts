import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { emptyDatabase } from '../support/database.js';
import { callAt, signUpAt } from '../support/faults/remote.js';
import { endProcesses, startProcess } from '../support/process.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'svc-container-'));
afterAll(() => {
  endProcesses();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const copy = (path: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(join(root, path), join(folder, path), { recursive: true });
};

/** Runs without a container engine: copies the image’s files and runs the command that installs its packages. */
it('the files and packages that deploy/Dockerfile assembles can serve requests', async () => {
  const stages = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').split(/^FROM /m);
  const [packages, final] = [stages[2] as string, stages[3] as string];
  for (const [, sources = ''] of packages.matchAll(/^COPY (.+) \S+$/gm))
    for (const path of sources.split(' ')) copy(path);
  const [, install = ''] = /^RUN (npm ci .+)$/m.exec(packages) ?? [];
  expect(install).toContain('--omit=dev');
  execFileSync('sh', ['-c', install], { cwd: folder, stdio: 'pipe' });
  for (const [, path = ''] of final.matchAll(/^COPY --from=build \/app\/(\S+)/gm)) copy(path);

  const { db, url } = await emptyDatabase();
  await db.close();
  const running = await startProcess(
    { folder, artifacts: '', remove: () => {} },
    {
      NODE_ENV: 'production',
      DATABASE_URL: url as string,
      SVC_SECRET: 'the secret of the container test, long enough',
    },
  );
  await running.serving;
  const { key } = await signUpAt(running.url, 'owner');
  const written = await callAt(running.url, 'POST', '/v1/devices', { as: key, body: { name: 'Door' } });
  expect(written.status).toBe(201);
  running.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});
