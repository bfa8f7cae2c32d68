import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderInUseError, lockFolder } from './folder-lock.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const owner = () => readFileSync(join(folder, 'lock'), 'utf8').trim();

describe('the lock of a data folder', () => {
  it('is one process’s at a time, also within the process, and is given back', async () => {
    const unlock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
    await expect(lockFolder(folder)).rejects.toThrow(String(process.pid));
    unlock();
    expect(readdirSync(folder)).toEqual([]);
    const again = await lockFolder(folder);
    unlock();
    // The first holder's unlock is spent: here it is the same process, so the file is its own.
    again();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of a process that lives is kept, of one that was killed is taken over', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
    const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    writeFileSync(join(folder, 'lock'), `${child.pid} ${boot} ${startedAt}\n`);
    await expect(lockFolder(folder)).rejects.toThrow(String(child.pid));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const unlock = await lockFolder(folder);
    expect(owner()).toMatch(new RegExp(`^${process.pid} `));
    unlock();
  });

  it.each([
    ['another boot', () => `${process.pid} 00000000-0000-0000-0000-000000000000 1`],
    [
      'a number given away again',
      () => `${process.ppid} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} 1`,
    ],
    ['nothing', () => ''],
    ['no number', () => 'x y z'],
    ['half a line', () => '99'],
    ['a negative number', () => '-1 x 1'],
  ])('that names %s is stale', async (_, text) => {
    writeFileSync(join(folder, 'lock'), text());
    const unlock = await lockFolder(folder);
    expect(owner()).toMatch(new RegExp(`^${process.pid} `));
    unlock();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not given back by who no longer holds it', async () => {
    const unlock = await lockFolder(folder);
    writeFileSync(join(folder, 'lock'), 'somebody else');
    unlock();
    expect(owner()).toBe('somebody else');
  });

  it('of a process in another container is seen by its socket, and stale without one', async () => {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const server = createServer().listen(join(folder, 'lock.elsewhere.sock'));
    await once(server, 'listening');
    writeFileSync(join(folder, 'lock'), `1 ${boot} 1 pid:[1] lock.elsewhere.sock\n`);
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
    server.close();
    await once(server, 'close');
    const unlock = await lockFolder(folder);
    expect(owner()).toMatch(new RegExp(`^${process.pid} `));
    unlock();
    expect(readdirSync(folder)).toEqual([]);
  });
});
