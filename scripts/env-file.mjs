// Reads settings from `.env`. `SVC_ENV_FILE` names another file, and if it is blank no file is read, so tests can ignore a
// developer's settings. Variables that are set in the environment, even to nothing, take precedence.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

export function readEnvFile() {
  const { SVC_ENV_FILE } = process.env;
  const file = SVC_ENV_FILE ?? join(root, '.env');
  if (SVC_ENV_FILE || existsSync(file)) process.loadEnvFile(file);
}
