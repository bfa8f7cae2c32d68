import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config.js';
import { makePrivate } from './private-path.js';

/**
 * The server secret of a data folder: made once, before the database beside it, and readable by its owner alone. It is
 * written under a name of its own and linked into place whole, so that a start that was killed leaves no half of one and
 * of two starts one wins. A database whose secret is lost gets no new one: its chains and tokens were made with the old.
 * @throws ConfigError when it is lost, or the file holds less than a secret
 */
export function readOrMakeSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  const help = 'Restore it from a backup, or set SVC_SECRET.';
  if (!existsSync(file)) {
    if (existsSync(join(dataDir, 'database'))) throw new ConfigError(`The file ${file} is missing. ${help}`);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    make(file);
  }
  makePrivate(file);
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length >= 32) return secret;
  throw new ConfigError(`The file ${file} does not hold a secret. ${help}`);
}

function make(file: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
