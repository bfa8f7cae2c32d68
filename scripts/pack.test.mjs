import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './setup.mjs';

describe('the command line as packages', () => {
  /** @type {string} */
  let folder;
  /** @type {{ name: string, files: { path: string }[] }[]} */
  let packages;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-packed-'));
    const workspaces = ['zk', 'chain', 'server', 'cli'];
    const args = ['pack', '--dry-run', '--json', ...workspaces.flatMap((name) => ['-w', name])];
    const shell = process.platform === 'win32';
    packages = JSON.parse(
      execFileSync('npm', args, { cwd: root, shell, stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
    );
    // As npm would install them: what is packed and nothing else, beside what they depend on.
    const modules = join(folder, 'node_modules');
    for (const { name, files } of packages)
      for (const { path } of files) {
        const to = join(modules, name, path);
        mkdirSync(dirname(to), { recursive: true });
        cpSync(join(root, name.replace('@svc/', ''), path), to);
      }
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== '@svc' && !name.startsWith('.'))
        symlinkSync(join(root, 'node_modules', name), join(modules, name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  const svc = (/** @type {string[]} */ ...args) =>
    execFileSync(process.execPath, [join(folder, 'node_modules/@svc/cli/dist/main.js'), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).toString();

  it('hold what runs, and no source, test or map', () => {
    const paths = packages.flatMap(({ files }) => files.map(({ path }) => path));
    expect(packages.map(({ name }) => name).sort()).toEqual([
      '@svc/chain',
      '@svc/cli',
      '@svc/server',
      '@svc/zk',
    ]);
    expect(paths.filter((path) => /\.(ts|map|test\.js)$|^(src|test)\//.test(path))).toEqual([]);
  });

  it('run without the repository', () => {
    expect(svc('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(svc('phone', 'faults')).toContain('malleated-proof');
    const { status, checks } = JSON.parse(svc('zk', 'verify-setup', '--json'));
    expect(status).toBe('ok');
    expect(checks.map((/** @type {{ name: string }} */ { name }) => name)).toEqual([
      'pin',
      'hashes',
      'keys',
      'proof',
    ]);
    expect(svc('doctor')).toContain('all are valid');
    expect(() => svc('bench')).toThrow(/in the repository only/);
  });
});
