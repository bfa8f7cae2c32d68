import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './kernel/config.js';

/**
 * The server secret of a data folder: made once, readable by its owner alone. Losing it ends every session and code. It
 * is written beside its place and moved there whole, so that a start that was killed leaves no half of one.
 * @throws ConfigError when the file holds less than a secret
 */
export function readOrMakeSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  if (!existsSync(file)) {
    writeFileSync(`${file}.draft`, randomBytes(32).toString('hex'), { mode: 0o600, flush: true });
    renameSync(`${file}.draft`, file);
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length >= 32) return secret;
  throw new ConfigError(
    `The file ${file} does not hold a secret. Restore it from a backup, or set SVC_SECRET.`,
  );
}
