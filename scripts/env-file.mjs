// Settings from `.env`: `SVC_ENV_FILE` names another file, and blank means none, which is how tests keep a developer's
// settings out. What the environment sets already, even to nothing, stays as it is.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

export function readEnvFile() {
  const { SVC_ENV_FILE } = process.env;
  const file = SVC_ENV_FILE ?? join(root, '.env');
  if (SVC_ENV_FILE || existsSync(file)) process.loadEnvFile(file);
}
