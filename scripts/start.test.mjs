// @module-tag if-touched scripts/ server/src/main.ts server/src/bin/ package.json: starts processes
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from './setup.mjs';

const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'svc-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('npm start', () => {
  const start = (/** @type {string[]} */ ...args) =>
    spawnSync('npm', ['start', '--silent', '--', ...args], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });

  it('prints help with --help and does nothing else', () => {
    for (const option of ['--help', '-h']) {
      const { status, stdout } = start(option);
      expect(status).toBe(0);
      expect(stdout).toContain('Usage: npm start');
      for (const word of ['DATABASE_URL', '.env.example', 'docs/operating.md'])
        expect(stdout).toContain(word);
      expect(stdout).not.toContain('Serving on');
    }
  });

  it('rejects an unknown option by name', () => {
    const { status, stderr } = start('--port');
    expect(status).toBe(2);
    expect(stderr).toContain('npm start has no option --port');
  });
});

describe('the file of settings', () => {
  const file = join(folder, 'settings.env');
  const script = `import { readEnvFile } from ${JSON.stringify(pathToFileURL(join(root, 'scripts/env-file.mjs')))};
    readEnvFile(); console.log(JSON.stringify([process.env.PORT, process.env.HOST, process.env.LOG_LEVEL]));`;
  const settings = (/** @type {Record<string, string>} */ env) =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
        stdio: 'pipe',
        env: { PATH: process.env.PATH, ...env },
      }),
    );

  it('sets only variables that are not in the environment, where blank counts as set', () => {
    writeFileSync(file, '# a comment\nPORT=4000\nHOST=0.0.0.0\nLOG_LEVEL="warn"\n');
    expect(settings({ SVC_ENV_FILE: file, PORT: '5000', HOST: '' })).toEqual(['5000', '', 'warn']);
    expect(settings({ SVC_ENV_FILE: '', PORT: '5000' })).toEqual(['5000', null, null]);
  });

  it('must exist if it is named', () => {
    const env = { SVC_ENV_FILE: join(folder, 'missing.env') };
    expect(() => settings(env)).toThrow('missing.env');
  });

  it('is read by `npm run svc` too', () => {
    writeFileSync(file, 'BASE_URL=not-an-address\n');
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/svc.mjs'), 'keys', 'list'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, SVC_ENV_FILE: file },
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain('is not an http or https address');
  });

  it('has an example with every setting, and is ignored by git', () => {
    const [listed] = read('contract/decisions/service.md').split('\n## ');
    const names = [...listed.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name);
    const example = new Set([...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name));
    const isMissing = (/** @type {string} */ name) => !name.startsWith('TEST_') && !example.has(name);
    expect(names).toContain('DATABASE_URL');
    expect(names.filter((name) => name !== 'SVC_ENV_FILE' && isMissing(name))).toEqual([]);
    for (const name of example) if (name !== 'NODE_ENV') expect(names, name).toContain(name);
    expect(read('.gitignore').split('\n')).toContain('.env');
  });
});
