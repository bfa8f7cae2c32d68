import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** The files of the project, including those that are not yet added to git, relative to the root. */
export function trackedFiles() {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  const files = list.toString().split('\0').filter(Boolean);
  return [...new Set(files)].filter((file) => existsSync(join(root, file)));
}
