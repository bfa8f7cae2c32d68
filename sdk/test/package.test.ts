// @module-tag if-touched sdk/ examples/ contract/ zk/src/: packs and installs the SDK, and runs every example
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { approvalKey, decide } from '../../server/test/support/approvals.js';
import { guides } from '../../server/test/support/contract/guides.js';
import { registerPerson } from '../../server/test/support/phone.js';
import { runScript } from '../../server/test/support/run-script.js';
import { type ListeningService, listeningService } from '../../server/test/support/sdk.js';
import type { Account } from '../../server/test/support/service.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** The blocks of a page marked `js run`. */
const samplesOf = (page: string) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```js run\n(.*?)^```$/gms)].map(
    ([, code]) => code as string,
  );

let service: ListeningService;
let folder: string;
let account: Account;
let environment: Record<string, string>;
beforeAll(async () => {
  const { packSdk } = await import('../../scripts/packaging/pack.mjs');
  folder = mkdtempSync(join(tmpdir(), 'svc-sdk-'));
  const { tarball } = await packSdk(join(folder, 'packages'));
  writeFileSync(join(folder, 'package.json'), '{}\n');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball], {
    cwd: folder,
  });
  service = await listeningService();
  account = await service.signUp({ plan: 'enterprise' });
  environment = {
    SVC_URL: service.url,
    SVC_API_KEY: account.key,
    WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  };
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program in the folder where only the tarball is installed, and returns its output. */
const run = (code: string, file = 'sample.mjs', env: Record<string, string> = {}) => {
  writeFileSync(join(folder, file), code);
  return runScript(join(folder, file), { cwd: folder, env: { ...environment, ...env } });
};
/** Runs a program with a key that may read the events of the environment test, which has these users. */
async function runWithEvents(code: string, ...users: readonly string[]) {
  const key = await service.createKey(account, 'test', ['events:read', 'users:write']);
  for (const fullName of users) await service.client(key).users.create({ fullName });
  return run(code, 'sample.mjs', { SVC_API_KEY: key });
}

describe('in an empty folder with only the tarball', () => {
  it('the README’s sample leads from sign-up to a verified proof and a paired desktop in under 30 lines', async () => {
    const samples = samplesOf('sdk/README.md');
    const [sample] = samples as [string];
    expect(sample.trimEnd().split('\n').length).toBeLessThan(30);
    expect(await run(sample)).toMatch(/^verified (did:svc:[0-9a-f]{64})\npaired \1\n$/);
  });

  it('the README’s receiver reads the event of a lost delivery from the feed', async () => {
    const [, sample, ...others] = samplesOf('sdk/README.md') as [string, string];
    expect(others).toEqual([]);
    expect(await runWithEvents(sample, 'Ada', 'Grace')).toMatch(
      /^handled 1 api_key\.created\nhandled 2 (\S+)\nhandled 3 (\S+)\n/,
    );
  });

  const [client, commonJs, pairing, audit, events, webhooks, phone] = samplesOf('docs/sdk.md') as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  it('the guide’s client sample lists records and catches an error by its code', async () => {
    expect(await run(client)).toMatch(/^(Door\n)+1\ntaken [0-9a-f-]{36}\n$/);
  });

  it('the guide’s CommonJS sample requires the client in three lines', async () => {
    expect(commonJs.trimEnd().split('\n')).toHaveLength(3);
    expect(await run(commonJs, 'sample.cjs')).toMatch(/^active \d+\n$/);
  });

  it('CommonJS and ES modules get the same classes from both entries', async () => {
    const code = `
      const { Svc, SvcError } = require('@svc/sdk');
      const { createProver } = require('@svc/sdk/prover');
      createProver({ wasm: new Uint8Array(), zkey: new Uint8Array() }).catch(async (error) => {
        const sdk = await import('@svc/sdk');
        console.log(error instanceof SvcError, error.code, sdk.Svc === Svc);
      });`;
    expect(await run(code, 'sample.cjs')).toBe('true circuit_not_pinned true\n');
  });

  it('the guide’s pairing sample displays a code and stops on its signal', async () => {
    expect(await run(pairing)).toMatch(/^code za:pair:2: [0-9]{2} \S+Z\nstopped\n$/);
  });

  it('the guide’s audit sample verifies the chain up to its signed head', async () => {
    expect(await run(audit)).toMatch(/^\d+ rows checked\nthe chain is valid true valid\n$/);
  });

  it('the guide’s events sample reads the whole chain', async () => {
    expect(await runWithEvents(events, 'Alan')).toMatch(/^1 api_key\.created success\n(\d+ \S+ success\n)+$/);
  });

  it('the guide’s webhook sample accepts a signed delivery, and rejects a changed one', async () => {
    expect(await run(webhooks)).toBe('revoked did:svc:0f3a\n204\nno_match\n');
  });

  it('the guide’s phone sample completes a ceremony', async () => {
    expect(await run(phone)).toBe('pair\nAda Lovelace live 36\n');
  });

  it('the quickstart’s sample leads from a key to a verified proof', async () => {
    const [sample] = samplesOf('docs/quickstart.md') as [string];
    expect(await run(sample)).toMatch(/^verified did:svc:[0-9a-f]{64} is user [0-9a-f-]{36}\n$/);
  });

  it('the verification guide’s sample opens a session, and its second attempt is rejected', async () => {
    const [sample] = samplesOf('docs/verification.md') as [string];
    expect(await run(sample)).toMatch(/^session [0-9a-f-]{36}\nonce only\n$/);
  });

  it('the users’ guide’s sample exports a person to a file and erases them [erasure/erasing-a-person] [erasure/exporting-a-person]', async () => {
    const [sample] = samplesOf('docs/users.md') as [string];
    const key = await service.createKey(account, 'test', ['users:read', 'users:write', 'users:erase']);
    expect(await run(sample, 'sample.mjs', { SVC_API_KEY: key })).toBe('true true\n');
    expect(JSON.parse(readFileSync(join(folder, 'ada.json'), 'utf8')).user.fullName).toBe('Ada Lovelace');
  });

  it('the approvals guide’s sample pays once two managers approved exactly this, and not if they decline', async () => {
    const [sample] = samplesOf('docs/approvals.md') as [string];
    const key = await approvalKey(service, account);
    const managers = [await registerPerson(service, account.key), await registerPerson(service, account.key)];
    const env = { SVC_API_KEY: key, MANAGERS: managers.map(({ userId }) => userId).join(',') };
    const runAnd = async (decision: 'approve' | 'decline') => {
      const running = run(sample, 'sample.mjs', env);
      const approval = await vi.waitFor(async () => {
        const [open] = (await service.client(key).approvals.list({ state: 'pending' })).approvals;
        return open ?? Promise.reject(new Error('nobody was asked'));
      });
      for (const manager of managers) await decide(service, manager, account, approval, { decision });
      return running;
    };
    expect(await runAnd('approve')).toMatch(
      /^http\S+#approval=[0-9a-f-]{36}\npaid €1,200\.50 to DE02 1203 0000 0000 2020 51\n$/,
    );
    expect(await runAnd('decline')).toMatch(/^http\S+\nnot approved\n$/);
  });

  it('the receipts guide’s sample checks a published receipt, but not by development keys', async () => {
    const [sample] = samplesOf('docs/receipts.md') as [string];
    const { good } = JSON.parse(readFileSync(join(root, 'docs/vectors/receipts.json'), 'utf8'));
    const [, { receipt, options }] = good;
    const { publicKey, ...tree } = options.head;
    writeFileSync(join(folder, 'receipt.json'), JSON.stringify(receipt));
    writeFileSync(join(folder, 'kept.json'), JSON.stringify({ tree, publicKey }));
    await expect(run(sample)).rejects.toThrow('setup_forgeable');
    const allowed = sample.replace('publicKey } }', 'publicKey }, allowDevelopmentKeys: true }');
    expect(await run(allowed)).toMatch(
      /^Not shown: that no identity was revoked before it decided\.\nPay an invoice\n.*\nIt rests on the head at row 4, which was kept from before\.\n/s,
    );
  });

  it('every sample of the guides is run', () => {
    const counts = guides.map((page) => [page, samplesOf(page).length]).filter(([, count]) => count !== 0);
    expect(Object.fromEntries(counts)).toEqual({
      'docs/approvals.md': 1,
      'docs/quickstart.md': 1,
      'docs/receipts.md': 1,
      'docs/sdk.md': 7,
      'docs/users.md': 1,
      'docs/verification.md': 1,
    });
    expect(readFileSync(join(root, 'sdk/README.md'), 'utf8')).not.toMatch(/^```(js|ts)$/m);
  });
});
