import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseKind, emptyDatabase } from './database.js';
import { copyDatabase } from './pglite-cache.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A copy of the built server in a temporary folder, so that a test can alter its artifacts and no build replaces it. */
export interface Installation {
  readonly folder: string;
  readonly artifacts: string;
  remove(): void;
}

export function install(): Installation {
  const folder = mkdtempSync(join(tmpdir(), 'svc-process-'));
  for (const part of [
    'server/dist',
    'server/migrations',
    'server/package.json',
    'zk/dist',
    'zk/artifacts',
    'zk/package.json',
    'chain/dist',
    'chain/package.json',
    'demo-idp/dist',
    'demo-idp/package.json',
  ])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@svc'), { recursive: true });
  for (const name of ['zk', 'chain', 'demo-idp'])
    symlinkSync(join(folder, name), join(modules, '@svc', name));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@svc' && !name.startsWith('.'))
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  return {
    folder,
    artifacts: join(folder, 'zk', 'artifacts'),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Prepares a data folder like a first start does, with an unused database. */
export async function createDataFolder(folder: string): Promise<void> {
  await copyDatabase(folder);
  writeFileSync(join(folder, 'secret'), randomBytes(32).toString('hex'), { mode: 0o600 });
}

/** The settings of a service with its own database of this run's kind. Without `hasDatabase` it creates an embedded one itself. */
export async function freshSettings(
  folder: string,
  { hasDatabase = true } = {},
): Promise<Record<string, string>> {
  const common = { DATA_DIR: folder, DEFAULT_PLAN: 'enterprise' };
  if (databaseKind === 'pglite') {
    if (hasDatabase) await createDataFolder(folder);
    return common;
  }
  const { db, url } = await emptyDatabase();
  await db.close();
  return {
    ...common,
    DATABASE_URL: url as string,
    SVC_SECRET: 'the secret of the process tests, long enough',
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

export interface ExitResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Standard output and standard error. */
  readonly output: string;
}

export interface Running {
  readonly pid: number;
  readonly url: string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<ExitResult>;
  /** Resolves when it serves. Rejects with its output if it ends first. */
  readonly serving: Promise<void>;
  /** Standard output and standard error so far. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
}

const children = new Set<ChildProcess>();

/** Starts `node server/dist/bin/serve.js` with only these settings, and at most `openFiles` files open at a time. */
export async function startProcess(
  installed: Installation,
  env: Record<string, string>,
  { openFiles }: { readonly openFiles?: number } = {},
): Promise<Running> {
  const port = env.PORT ?? String(await freePort());
  const program = [process.execPath, join(installed.folder, 'server', 'dist', 'bin', 'serve.js')];
  const [command, ...args] =
    openFiles === undefined
      ? program
      : ['bash', '-c', `ulimit -n ${openFiles} && exec "$@"`, 'bash', ...program];
  const child = spawn(command as string, args, {
    cwd: installed.folder,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', PORT: port, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const ended = once(child, 'close').then(([code, signal]): ExitResult => {
    children.delete(child);
    return { code, signal, output };
  });
  const serving = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => output.includes('Serving on') && resolve());
    void ended.then((result) =>
      reject(new Error(`ended with ${result.code ?? result.signal} before it served:\n${result.output}`)),
    );
  });
  serving.catch(() => {});
  return {
    pid: child.pid as number,
    url: `http://127.0.0.1:${port}`,
    ended,
    serving,
    output: () => output,
    kill: (signal) => void child.kill(signal),
  };
}

/** Kills processes that a failed test left running. */
export function endProcesses(): void {
  for (const child of children) child.kill('SIGKILL');
}
