import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHELLS, type Shell, scriptFor } from './completion.js';
import { createProgram } from './svc.js';

const program = createProgram({ env: {}, out: { write() {} }, err: { write() {} } });

const has = (shell: Shell) => spawnSync(shell, ['-c', 'true']).status === 0;

/** What bash offers after these words, the last of which is being typed. */
function offered(...words: string[]): string[] {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const { stdout, stderr, status } = spawnSync('bash', [
    '-c',
    `${scriptFor('bash', program)}\nCOMP_WORDS=(svc ${typed}) COMP_CWORD=${words.length}\n_svc\nprintf '%s\\n' "\${COMPREPLY[@]}"`,
  ]);
  expect({ stderr: String(stderr), status }).toEqual({ stderr: '', status: 0 });
  return String(stdout).trim().split('\n');
}

describe('svc completion', () => {
  it.runIf(has('bash'))('offers commands, what is below them, choices and options', () => {
    expect(offered('ten')).toEqual(['tenants']);
    expect(offered('tenants', 'set')).toEqual(['set-plan']);
    expect(offered('tenants', 'set-plan', 'a@example.com', 'gr')).toEqual(['growth']);
    expect(offered('tenants', 'list', '--st')).toEqual(['--status']);
    expect(offered('completion', '')).toEqual(expect.arrayContaining([...SHELLS]));
    expect(offered('phone', 'verify', '--')).toEqual(
      expect.arrayContaining(['--fault', '--own-nonce', '--json']),
    );
    expect(offered('nothing-like-it', 'x')).toEqual(['']);
  });

  it.each(SHELLS.filter(has))('is a script that %s can read', (shell) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-completion-'));
    const file = join(folder, 'script');
    writeFileSync(file, scriptFor(shell, program));
    const { status, stderr } = spawnSync(shell, [shell === 'fish' ? '--no-execute' : '-n', file]);
    rmSync(folder, { recursive: true });
    expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
  });

  it.each(SHELLS)('of %s names every command', (shell) => {
    const script = scriptFor(shell, program);
    for (const group of program.commands)
      for (const command of [group, ...group.commands]) expect(script).toContain(command.name());
  });
});

describe('the help', () => {
  it('of every command says what it does, and takes --json', () => {
    const leaves = program.commands.flatMap((command) =>
      command.commands.length > 0 ? command.commands : [command],
    );
    expect(leaves.length).toBeGreaterThan(25);
    for (const command of leaves) {
      const help = command.helpInformation();
      expect(command.summary(), command.name()).toMatch(/^\S.{9,}/);
      expect(help, command.name()).toContain(command.summary().slice(1, 20));
      expect(help, command.name()).toContain('--json');
      for (const option of command.options) expect(option.description, option.flags).not.toBe('');
    }
  });
});
