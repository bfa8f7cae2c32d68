import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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
  it('has one owner at a time, also within a process, and can be released', async () => {
    const unlock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
    await expect(lockFolder(folder)).rejects.toThrow(String(process.pid));
    unlock();
    expect(readdirSync(folder)).toEqual([]);
    const again = await lockFolder(folder);
    unlock();
    // The first owner's unlock function has already run. In the same process it would match the file.
    again();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('survives while its process lives, and is taken over from a killed process', async () => {
    const child = spawn(
      process.execPath,
      [
        '-e',
        `require('net').createServer().listen('lock.' + process.pid + '.0a.sock', () => console.log('up'))`,
      ],
      { cwd: folder },
    );
    await once(child.stdout, 'data');
    writeFileSync(join(folder, 'lock'), `${child.pid} - - - lock.${child.pid}.0a.sock\n`);
    await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${child.pid}.`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(join(folder, `lock.${child.pid}.0a.sock`))).toBe(true);
    const unlock = await lockFolder(folder);
    expect(owner()).toMatch(new RegExp(`^${process.pid} `));
    unlock();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('survives while its process lives, even if the file that names the owner was lost', async () => {
    const unlock = await lockFolder(folder);
    rmSync(join(folder, 'lock'));
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
    unlock();
  });

  it.each(['1 x 1', '', 'x y z', '99', '-1 x 1', '1 - - - lock.1.0a.sock'])(
    'is stale where its file says %j and nobody listens',
    async (text) => {
      writeFileSync(join(folder, 'lock'), text);
      const unlock = await lockFolder(folder);
      expect(owner()).toMatch(new RegExp(`^${process.pid} `));
      unlock();
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('has one owner when several start at the same time after a killed one', async () => {
    for (let round = 0; round < 5; round += 1) {
      writeFileSync(join(folder, 'lock'), '1 - - - lock.1.0a.sock');
      writeFileSync(join(folder, 'lock.1.0a.sock'), '');
      const results = await Promise.allSettled(Array.from({ length: 4 }, () => lockFolder(folder)));
      const owners = results.filter((result) => result.status === 'fulfilled');
      expect(owners).toHaveLength(1);
      for (const { value: unlock } of owners) unlock();
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it('works in a folder whose path is too long for a socket', async () => {
    const long = join(folder, 'x'.repeat(120));
    mkdirSync(long);
    const unlock = await lockFolder(long);
    await expect(lockFolder(long)).rejects.toThrow(FolderInUseError);
    unlock();
    expect(readdirSync(long)).toEqual([]);
  });

  it('is not released by a former owner', async () => {
    const unlock = await lockFolder(folder);
    writeFileSync(join(folder, 'lock'), 'somebody else');
    unlock();
    expect(owner()).toBe('somebody else');
  });

  it('of another container or an earlier version is recognized by its socket, and stale without one', async () => {
    const server = createServer().listen(join(folder, 'lock.1.0a0a0a0a.sock'));
    await once(server, 'listening');
    writeFileSync(join(folder, 'lock'), '1 boot 1 pid:[1] lock.1.0a0a0a0a.sock\n');
    await expect(lockFolder(folder)).rejects.toThrow('is in use by process 1.');
    server.close();
    await once(server, 'close');
    const unlock = await lockFolder(folder);
    expect(owner()).toMatch(new RegExp(`^${process.pid} `));
    unlock();
    expect(readdirSync(folder)).toEqual([]);
  });
});
