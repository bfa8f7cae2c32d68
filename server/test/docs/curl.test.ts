// @module-tag if-touched @core docs/ examples/ sdk/ cli/ contract/: runs every command of the documentation
// @module-tag not-on-citus: shows when a key was last used, which follows half a second later on several machines
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exposedFiles } from '../support/contract/private-files.js';
import { compare, paste, requirePrograms, type Step, stepsOf } from '../support/contract/transcript.js';
import { type ListeningService, listeningService } from '../support/sdk.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folderOfPages = join(root, 'examples', 'curl');
const pages = readdirSync(folderOfPages).filter((name) => name.endsWith('.md'));
const read = (name: string) => readFileSync(join(folderOfPages, name), 'utf8');
const BEGIN = 'README.md';

describe('the pages of examples/curl', () => {
  let home: string;
  let service: ListeningService;
  beforeAll(() => requirePrograms('bash', 'curl', 'python3'));
  // A new service for each page, so that no page reaches the rate limit per address.
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'svc-curl-'));
    service = await listeningService({ env: { DEFAULT_PLAN: 'growth' } });
  });
  afterEach(async () => {
    await service.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  /** The page's steps for this service, with a new account and the built command line. */
  function stepsHere(name: string, email: string): Step[] {
    const here = read(name)
      .replaceAll('http://localhost:3000', service.url)
      .replaceAll('curl@example.com', email)
      .replace('scripts/svc.mjs', 'cli/dist/main.js');
    return stepsOf(here);
  }

  it.each(pages)('%s: every response matches the page', async (name) => {
    const email = `curl-${process.pid}-${Date.now()}@example.com`;
    const before = name === BEGIN ? [] : stepsHere(BEGIN, email);
    const steps = stepsHere(name, email);
    expect(steps.filter(({ shown }) => shown !== undefined).length).toBeGreaterThan(0);
    const answers = await paste(
      [...before, ...steps].map(({ command }) => command),
      { cwd: root, env: { HOME: home, TMPDIR: home } },
    );
    expect(exposedFiles(home), 'files with secrets or personal data').toEqual([]);
    const names = new Map<string, string>();
    for (const [at, { command, shown = '' }] of steps.entries()) {
      // The pages show responses of a server without BASE_URL, whose links are paths.
      const answer = answers[before.length + at]?.replace(`"${service.url}/docs/`, '"/docs/') as string;
      const both = compare(shown, answer, names);
      expect(both.actual, command).toEqual(both.expected);
    }
  });

  it('are all listed in README.md', () => {
    const listed = [...read(BEGIN).matchAll(/^\| \[(.+?)\]\(\1\)/gm)].map(([, name]) => name);
    expect([...listed, BEGIN].sort()).toEqual(pages.sort());
  });
});

describe('comparing a response with a page', () => {
  const user = '019dc91f-d5c0-794b-8452-a6702a7266af';
  const other = '019dc91f-d5c0-794b-8452-a6702a7266b0';
  const shown = `{ "id": "<user id>", "name": "Ada",\n  "left": "<number>", "at": "<time>" }\n200\n`;
  const answer = `{"id":"${user}","name":"Ada","left":99,"at":"2026-05-12T09:30:00.000Z"}\n200`;
  const equals = (text: string, names = new Map<string, string>()) => {
    const both = compare(shown, text, names);
    return JSON.stringify(both.actual) === JSON.stringify(both.expected);
  };

  it('ignores line breaks, and accepts values that fit their placeholder', () => {
    expect(equals(answer)).toBe(true);
  });

  it.each([
    ['another value', ['Ada', 'Eve']],
    ['another status', ['\n200', '\n500']],
    ['a number as a string', ['99', '"99"']],
    ['an invalid id', [user, 'user-1']],
    ['a time in another format', ['.000Z', 'Z']],
    ['an extra field', ['"left"', '"right":1,"left"']],
    ['a missing field', ['"name":"Ada",', '']],
    ['truncated JSON', ['}\n200', '']],
    ['an empty response', [answer, '']],
  ])('detects %s', (_, [part, instead]) => {
    expect(equals(answer.replace(part as string, instead as string))).toBe(false);
  });

  it('requires the same value for every use of a named placeholder', () => {
    const names = new Map<string, string>();
    expect([equals(answer, names), equals(answer, names)]).toEqual([true, true]);
    expect(equals(answer.replace(user, other), names)).toBe(false);
    const twice = (first: string, second: string) =>
      compare('<user id>/<user id>', `${first}/${second}`, new Map()).actual;
    expect(twice(user, user)).toEqual(['<user id>/<user id>']);
    expect(twice(user, other)).toEqual([`${user}/${other}`]);
  });

  it('fails with the name of a missing program', () => {
    expect(() => requirePrograms('svc-no-such-program')).toThrow(/^svc-no-such-program, .* could not be run/);
  });

  it('reports the command that failed', async () => {
    const pasted = paste(['true\n', 'echo said; false\n', 'true\n'], { cwd: root, env: {} });
    await expect(pasted).rejects.toThrow(/^bash ended with 1 at\necho said; false\nsaid/);
  });
});
