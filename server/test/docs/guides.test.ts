// @module-tag if-touched @core docs/ examples/ sdk/ cli/ contract/: runs every command of the documentation
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimOf, guides, samplesOf } from '../support/contract/guides.js';
import { exposedFiles } from '../support/contract/private-files.js';
import { paste, requirePrograms } from '../support/contract/transcript.js';
import { runScript } from '../support/run-script.js';
import { type ListeningService, listeningService } from '../support/sdk.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What the guides assume: shell variables, the command line, and that curl fails on an HTTP error. */
const BEFORE = `export BASE_URL SVC_PHONE=$PWD/phone.json
curl() { command curl --fail-with-body "$@"; }
svc() { node "$CLONE/cli/dist/main.js" "$@"; }
npm() { shift 3; svc "$@"; }
command curl -sf "$BASE_URL/api/console/signup" -H 'Content-Type: application/json' \\
  -d '{"email":"'"$EMAIL"'","password":"correct horse 7 battery","companyName":"Example"}' > before.json
export KEY=$(node -p 'JSON.parse(fs.readFileSync("before.json")).apiKey.key') SVC_API_KEY
SVC_API_KEY=$KEY TOKEN=$(node -p 'JSON.parse(fs.readFileSync("before.json")).token')
rm before.json
`;

const POLICY = `command curl -sf "$BASE_URL/api/console/security-policy" -H "Authorization: Bearer $TOKEN"\n`;

let folder: string;
let service: ListeningService;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-guides-'));
  service = await listeningService({ env: { ENABLE_DEMO_AUTH: 'true', TRUST_PROXY: '127.0.0.1' } });
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('the samples of the guides', () => {
  const pasted = guides.filter((page) =>
    samplesOf(page).some((sample) => claimOf(page, sample) === 'pasted'),
  );

  it.each(pasted)(
    'of %s can be pasted in order, none fails, and only the reader can read what they store',
    async (page) => {
      requirePrograms('bash', 'curl');
      // A page that signs up creates a second account; a page that logs in uses the first one.
      const account = `guides-${process.pid}-${Date.now()}@example.com`;
      const samples = samplesOf(page).filter((sample) => claimOf(page, sample) === 'pasted');
      const signsUp = samples.some(({ code }) => code.includes('/signup'));
      const commands = samples.map(({ code }) =>
        code
          .replaceAll('http://localhost:3000', service.url)
          .replaceAll('you@example.com', `${signsUp ? 'new-' : ''}${account}`),
      );
      const env = { HOME: folder, TMPDIR: folder, CLONE: root, BASE_URL: service.url, EMAIL: account };
      // A second sign-up is rejected, and must not overwrite the key of the first one.
      const again = signsUp ? commands : [];
      const answers = await paste([BEFORE, POLICY, ...commands, ...again, POLICY], { cwd: folder, env });
      expect(answers).toHaveLength(commands.length + again.length + 3);
      expect(answers.at(-1), 'the page must not change the security policy').toBe(answers[1]);
      expect(exposedFiles(folder), 'files with secrets or personal data').toEqual([]);
    },
  );

  it('use a different e-mail address in each page that signs up', () => {
    const addresses = ['README.md', 'examples/curl/README.md', ...guides].flatMap((page) =>
      samplesOf(page)
        .filter(({ info, code }) => info === 'sh' && /signup/.test(code))
        .map(({ code }) => /[\w.-]+@example\.com/.exec(code)?.[0]),
    );
    expect(addresses.length).toBeGreaterThan(2);
    expect([...new Set(addresses)]).toEqual(addresses);
  });

  const inClone = guides.flatMap((page) =>
    samplesOf(page)
      .filter((sample) => claimOf(page, sample) === 'clone')
      .map(({ code }) => [page, code] as const),
  );
  const PRINTS: Readonly<Record<string, string>> = {
    'docs/proofs.md': '200 true\n',
    'docs/deprecated.md': 'unbound\n',
  };

  it.each(inClone)('of %s run in a clone of the repository', async (page, code) => {
    const { key } = await service.signUp({ plan: 'enterprise' });
    const place = join(root, '.build', 'guides');
    mkdirSync(place, { recursive: true });
    const file = join(place, `${page.replaceAll(/\W/g, '-')}.mjs`);
    writeFileSync(file, code);
    const printed = await runScript(file, { cwd: root, env: { SVC_URL: service.url, SVC_API_KEY: key } });
    expect(printed).toBe(PRINTS[page]);
  });

  it('are all run by a test unless they are only displayed', () => {
    expect(inClone.map(([page]) => page).sort()).toEqual(Object.keys(PRINTS).sort());
    expect(pasted.length).toBeGreaterThan(5);
    for (const page of guides)
      for (const sample of samplesOf(page))
        expect(claimOf(page, sample), `${page}\n${sample.code}`).toBeDefined();
  });

  it('that other tests run are named in those tests', () => {
    for (const [page, test] of [
      ['docs/cli.md', 'cli/test/docs.test.ts'],
      ['docs/reception.md', 'sdk/test/staff.test.ts'],
      ['docs/webhooks.md', 'server/test/docs/receivers.test.ts'],
      ['docs/sandbox.md', 'cli/test/docs.test.ts'],
      ['docs/capacity.md', 'server/test/database/citus.long.test.ts'],
      ['docs/privacy.md', 'server/test/people/erased-files.test.ts'],
      ['docs/runbooks/backup.md', 'server/test/docs/backup.pg.test.ts'],
      ['docs/runbooks/restore.md', 'server/test/docs/restore.pg.test.ts'],
      ['docs/runbooks/citus.md', 'server/test/database/citus.long.test.ts'],
      ['docs/runbooks/chain.md', 'server/test/anchors/anchors-integrity.test.ts'],
    ] as const)
      expect(readFileSync(join(root, test), 'utf8')).toContain(page.slice('docs/'.length));
  });
});
