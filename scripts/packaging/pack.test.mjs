// @module-tag if-touched scripts/ sdk/ cli/ package.json server/package.json zk/package.json: packs the command line and installs it
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { root } from '../setup.mjs';

const WORKSPACES = ['zk', 'sdk', 'chain', 'demo-idp', 'server', 'cli'];

describe('the command line as packages', () => {
  /** @type {string} */
  let folder;
  /** @type {string} */
  let modules;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-packed-'));
    const args = ['pack', '--pack-destination', folder, ...WORKSPACES.flatMap((name) => ['-w', name])];
    execFileSync('npm', args, { cwd: root, shell: process.platform === 'win32', stdio: 'ignore' });
    // As npm would install them: only the packed files, with their dependencies.
    modules = join(folder, 'node_modules');
    for (const tarball of readdirSync(folder)) {
      const [, name = ''] = /^svc-(.+)-\d/.exec(tarball) ?? [];
      mkdirSync(join(modules, '@svc', name), { recursive: true });
      const to = ['-C', join(modules, '@svc', name), '--strip-components=1'];
      execFileSync('tar', ['-xzf', join(folder, tarball), ...to]);
    }
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== '@svc' && !name.startsWith('.'))
        symlinkSync(join(root, 'node_modules', name), join(modules, name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  const main = () => join(modules, '@svc/cli/dist/main.js');
  const env = () => ({ PATH: process.env.PATH, DATA_DIR: join(folder, 'data') });
  const svc = (/** @type {string[]} */ ...args) =>
    execFileSync(process.execPath, [main(), ...args], {
      cwd: folder,
      env: env(),
      stdio: ['ignore', 'pipe', 'pipe'],
    }).toString();

  it('contain the built code, and no source, test or map', () => {
    expect(readdirSync(join(modules, '@svc')).sort()).toEqual([...WORKSPACES].sort());
    const paths = readdirSync(join(modules, '@svc'), { recursive: true }).map(String);
    expect(paths).toContain(join('server', 'dist', 'bin', 'serve.js'));
    expect(paths.filter((path) => /\.(ts|map|test\.js)$|^[\w-]+[\\/](src|test)[\\/]/.test(path))).toEqual([]);
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
    expect(() => svc('bench')).toThrow(/does not contain the benchmarks/);
  });

  it('serve the pages, and suggest next steps that work there', async () => {
    const port = await freePort();
    const server = spawn(process.execPath, [main(), 'serve'], {
      cwd: folder,
      env: { ...env(), PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(server, 'exit');
    try {
      let said = '';
      server.stdout.setEncoding('utf8').on('data', (piece) => {
        said += piece;
      });
      await vi.waitFor(() => expect(said).toMatch(/quickstart\n/), 100_000);
      const [, page = ''] = /in a browser: +(\S+)/.exec(said) ?? [];
      expect(page).toBe(`http://localhost:${port}/dashboard/signup`);
      expect((await fetch(page)).status).toBe(200);
      expect(said).toContain(` BASE_URL=http://localhost:${port} npx svc quickstart\n`);
    } finally {
      server.kill();
      await ended;
    }
  });
});

/** @returns {Promise<number>} */
async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
