import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../server/test/support/process.js';
import { type Service, startService } from '../../server/test/support/service.js';
import { createProgram } from '../src/svc.js';

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
/** The first sample under that heading. */
const sampleOf = (page: string, heading: string) =>
  new RegExp(`^#+ ${heading}\n[^]*?^\`\`\`sh\n([^]*?)^\`\`\``, 'm').exec(read(page))?.[1] as string;
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

describe('the samples of the command line’s pages', () => {
  let folder: string;
  let service: Service;
  let baseUrl: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-samples-'));
    const port = await freePort();
    baseUrl = `http://127.0.0.1:${port}`;
    service = await startService({ env: { BASE_URL: baseUrl } });
    await service.app.http.listen({ port, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  /** As somebody would paste it, in a shell that stops at the first failure. */
  async function paste(sample: string, env: Record<string, string> = {}) {
    const script = `set -euo pipefail\nsvc() { "${process.execPath}" "${main}" "$@"; }\n${sample}`;
    const child = spawn('bash', ['-c', script], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, BASE_URL: baseUrl, ...env },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += piece));
    const [code] = await once(child, 'close');
    return { code, text };
  }

  it('lead from nothing to a verified proof, a ceremony, a pairing and a checked chain', async () => {
    const email = `samples-${process.pid}-${Date.now()}@example.com`;
    const sample = sampleOf('cli.md', 'Five minutes').replace('cli@example.com', email);
    expect(sample.trim().split('\n').length).toBeLessThan(30);
    const { code, text } = await paste(sample);
    expect({ code, text }).toMatchObject({ code: 0 });
    for (const said of [
      'Registered user',
      'Verified: session',
      'Registered Ada Lovelace',
      'Paired:',
      'The chain holds',
    ])
      expect(text).toContain(said);
    expect(existsSync(join(folder, '.svc-phone.json'))).toBe(true);
  });

  it('play the sandbox', async () => {
    const key = await service.createKey(await service.signUp(), 'test');
    const { code, text } = await paste(sampleOf('sandbox.md', 'The sandbox'), { SVC_API_KEY: key });
    expect({ code, text }).toMatchObject({ code: 0 });
    expect(text).toMatch(/^ok {4}verified +200 /m);
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
