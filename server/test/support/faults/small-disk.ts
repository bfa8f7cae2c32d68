import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Mounts a tmpfs of that size on a folder. Returns a function that unmounts it. */
export function mountSmallTmpfs(folder: string, megabytes: number): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  return () => void execFileSync('umount', ['-l', folder]);
}

/** Whether this process may mount. If not, prints which tests are left out. */
export function canMountFor(tests: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mount-'));
  try {
    mountSmallTmpfs(folder, 1)();
    return true;
  } catch {
    console.error(`!! NOT TESTED: ${tests}, because only root may mount a small disk. Run as root on Linux.`);
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Fills the file system of a folder. Returns a function that frees the space. */
export function fillDisk(folder: string): () => void {
  const file = join(folder, 'filler');
  const block = Buffer.alloc(64 * 1024);
  for (let size = block.length; size >= 512; size /= 2) {
    try {
      for (;;) writeFileSync(file, block.subarray(0, size), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  return () => rmSync(file);
}
