// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: runs every command of the documentation
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { exposedFiles } from '../../server/test/support/contract/private-files.js';
import { createProgram } from '../src/svc.js';
import { serviceAndFolder } from './service-and-folder.js';

const docs = new URL('../../docs/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, docs), 'utf8');
/** The first sample under a heading. */
const sampleOf = (page: string, heading: string) =>
  new RegExp(`^#+ ${heading}\n[^]*?^\`\`\`sh\n([^]*?)^\`\`\``, 'm').exec(read(page))?.[1] as string;
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

describe('the samples of the command line’s guides', () => {
  const on = serviceAndFolder();

  /** Runs a sample in a shell that stops at the first failure. */
  async function runSample(sample: string, env: Record<string, string> = {}) {
    const script = `umask 022\nset -euo pipefail\nsvc() { "${process.execPath}" "${main}" "$@"; }\n${sample}`;
    const child = spawn('bash', ['-c', script], {
      cwd: on.folder,
      env: { PATH: process.env.PATH, HOME: on.folder, TMPDIR: on.folder, BASE_URL: on.service.url, ...env },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += piece));
    const [code] = await once(child, 'close');
    return { code, text };
  }

  it('lead from sign-up to a verified proof, a ceremony, a pairing and a verified chain', async () => {
    const email = `samples-${process.pid}-${Date.now()}@example.com`;
    const sample = sampleOf('cli.md', 'Five minutes').replace('cli@example.com', email);
    expect(sample.trim().split('\n').length).toBeLessThan(30);
    const { code, text } = await runSample(sample);
    expect({ code, text }).toMatchObject({ code: 0 });
    for (const line of [
      'Registered user',
      'Verified: session',
      'Registered Ada Lovelace',
      'Paired:',
      'The chain is valid',
    ])
      expect(text).toContain(line);
    expect(existsSync(join(on.folder, '.svc-phone.json'))).toBe(true);
    expect(exposedFiles(on.folder), 'files with secrets or personal data').toEqual([]);
  });

  it('play outcomes of the sandbox', async () => {
    const key = await on.service.createKey(await on.service.signUp(), 'test');
    const { code, text } = await runSample(sampleOf('sandbox.md', 'The sandbox'), { SVC_API_KEY: key });
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text).toMatch(/^ok {4}verified +200 /m);
  });

  it('and the other guides use only commands and options that exist', () => {
    const program = createProgram({ env: {}, out: { write() {} }, err: { write() {} } });
    const wrong: string[] = [];
    let found = 0;
    const pages = readdirSync(docs, { recursive: true }).map(String);
    for (const page of pages.filter((name) => name.endsWith('.md')))
      for (const [line, text = ''] of read(page).matchAll(/(?<=^|[\s`(])svc (?:-- )?([a-z][^\n`|]*)/gm)) {
        let command: (typeof program.commands)[number] = program;
        const options = [...program.options];
        for (const word of text.split(' ')) {
          const next = command.commands.find((one) => one.name() === word);
          if (!next) break;
          command = next;
          options.push(...command.options);
        }
        if (command === program) continue;
        found += 1;
        const known = ['--help', ...options.map(({ long }) => long)];
        const unknown = text.match(/(?<=\s)--[a-z][\w-]*/g)?.filter((option) => !known.includes(option));
        if (unknown?.length) wrong.push(`${page}: ${line}`);
      }
    expect(wrong).toEqual([]);
    expect(found).toBeGreaterThan(50);
  });

  it('and docs/cli.md name every command', () => {
    const page = read('cli.md');
    const program = createProgram({ env: {}, out: { write() {} }, err: { write() {} } });
    for (const group of program.commands) {
      expect(page).toContain(`\`${group.name()}`);
      for (const { name } of group.commands.map((command) => ({ name: command.name() })))
        expect(`${page}${read('operating.md')}`, `${group.name()} ${name}`).toMatch(
          new RegExp(`[ \`]${name}\\b`),
        );
    }
  });
});
