// @module-tag if-touched @core server/src/features/health/ scripts/: starts several processes
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeyring } from '../../src/base/crypto/keyring.js';
import { systemRandom } from '../../src/base/crypto/random.js';
import { createDeploymentKeys } from '../../src/features/sealing/sealing.js';
import { freshDatabase } from '../support/database.js';
import { endProcesses, type Installation, install, startProcess } from '../support/process.js';

const OLD = 'the secret before, 32 bytes and more!';
const NEW = 'the secret that follows, 32 bytes and more';

let installed: Installation;
let url: string;
beforeAll(async () => {
  installed = install();
  const database = await freshDatabase();
  url = database.url as string;
  const deps = {
    db: database.db,
    keyring: createKeyring(OLD),
    random: systemRandom,
    clock: { now: Date.now },
  };
  await createDeploymentKeys(deps).newest();
  await database.db.close();
});
afterAll(() => {
  endProcesses();
  installed.remove();
});

const start = (env: Record<string, string>) => startProcess(installed, { DATABASE_URL: url, ...env });

it('a server starts with a new secret only after a start with both secrets', async () => {
  const { code, output } = await (await start({ SVC_SECRET: NEW })).ended;
  expect(code).toBe(1);
  expect(output).toContain('is encrypted with another server secret. Set SVC_SECRET_PREVIOUS to the secret');
  expect(output).not.toContain('Serving on');

  for (const env of [{ SVC_SECRET: NEW, SVC_SECRET_PREVIOUS: OLD }, { SVC_SECRET: NEW }]) {
    const server = await start(env);
    await server.serving;
    server.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  }
});
