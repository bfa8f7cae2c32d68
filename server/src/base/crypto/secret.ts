import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/config.js';
import { makePrivate } from '../private-path.js';

/**
 * The server secret of a data folder. It is generated once, before the database beside it, and only its owner can read it.
 * The file is written under a temporary name and then linked, so that a killed start leaves no partial secret and of two
 * concurrent starts one wins. If a database has lost its secret, no new one is generated: its audit chains and tokens
 * depend on the old one.
 * @throws ConfigError if the secret is lost, or if the file holds less than a secret
 */
export function readOrCreateSecret(dataDir: string): string {
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
