// @module-tag if-touched cli/ sdk/ contract/ docs/ examples/ server/src/bin/: starts a process for each command
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serveOperator, socketPath } from '../../server/src/bin/socket.js';
import { sql } from '../../server/src/db/sql.js';
import { listHeads } from '../../server/src/features/audit/heads.js';
import { signHead } from '../../server/src/ledger/audit-chain.js';
import { freshDatabase } from '../../server/test/support/database.js';
import { type Account, type Service, startService } from '../../server/test/support/service.js';
import { runSvc } from '../../server/test/support/svc.js';

const SECRET = 'the secret of these tests, 32 bytes or more';
/** Two chains each: more than the command line compares in one request. */
const ACCOUNTS = 51;

type Line = Awaited<ReturnType<typeof listHeads>>[number];
type Head = Line['head'];

describe('svc audit heads', () => {
  let folder: string;
  let kept: string;
  let env: Record<string, string>;
  let service: Service;
  let account: Account;
  let socket: Awaited<ReturnType<typeof serveOperator>> | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-heads-'));
    kept = join(folder, 'kept.jsonl');
    const { db, url } = await freshDatabase();
    service = await startService({ db, secret: SECRET });
    env = { DATA_DIR: folder, SVC_SECRET: SECRET, ...(url !== undefined && { DATABASE_URL: url }) };
    if (url === undefined) socket = await serveOperator(service.app.deps, socketPath(folder) as string);
    for (let n = 0; n < ACCOUNTS; n += 1) account = await service.signUp();
  });
  afterAll(async () => {
    await socket?.close();
    await service.close();
    await service.db.close();
    rmSync(folder, { recursive: true });
  });

  const svc = (...args: string[]) => runSvc(['audit', 'heads', ...args], env);
  const write = () => service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
  const linesOf = (file: string): Line[] =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const isOurs = ({ environment, head }: Line) =>
    environment === 'live' && head.tenantId === account.tenantId;

  it('exports the head of every chain once, as its tenant gets it, and how many there are', async () => {
    writeFileSync(kept, 'an earlier one', { mode: 0o644 });
    await svc('--out', kept);
    const lines = linesOf(kept);
    expect(lines.pop()).toEqual({ chains: 2 * ACCOUNTS });
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    const { body } = await service.call('GET', '/v1/audit', { as: account.key });
    expect(lines.find(isOurs)).toEqual({ environment: 'live', head: body.head });
    expect(new Set(lines.map(({ environment, head }) => head.tenantId + environment)).size).toBe(
      2 * ACCOUNTS,
    );
    expect((await svc()).out).toBe(readFileSync(kept, 'utf8'));
  });

  it('reads the heads page by page, and none twice', async () => {
    const { deps } = service.app;
    const all = await listHeads(deps);
    const after = ({ environment, head: { tenantId } }: Line) =>
      listHeads(deps, { tenantId, environment }, 3);
    // The first page ends between the two chains of an account.
    expect(await listHeads(deps, undefined, 3)).toEqual(all.slice(0, 3));
    expect(await after(all[2] as Line)).toEqual(all.slice(3, 6));
    expect(await after(all.at(-1) as Line)).toEqual([]);
  });

  it('has lines that `svc audit verify --since` accepts', async () => {
    await svc('--out', kept);
    await write();
    const file = join(folder, 'chain.jsonl');
    writeFileSync(file, (await service.call('GET', '/v1/audit/export', { as: account.key })).text);
    const head = JSON.stringify(linesOf(kept).find(isOurs));
    const { code, out } = await runSvc(['audit', 'verify', file, '--since', head]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('It extends the saved head') });
  });

  describe('--compare', () => {
    let seq: number;
    let signed: object;
    beforeEach(async () => {
      await write();
      await svc('--out', kept);
      const ours = linesOf(kept).find(isOurs) as Line;
      seq = ours.head.seq;
      [signed] = (await service.db.query(sql.query`select * from audit_heads
        where tenant_id = ${account.tenantId} and environment = 'live'`)) as [object];
    });
    /** Undoes what a test did to the account’s head. */
    afterEach(async () => {
      const { db } = service;
      await db.query(
        sql`delete from audit_heads where tenant_id = ${account.tenantId} and environment = 'live'`,
      );
      await db.query(sql`insert into audit_heads
        select * from json_populate_record(null::audit_heads, ${JSON.stringify(signed)}::json)`);
    });

    const compare = async (file = kept) => {
      const { code, out, err } = await svc('--compare', file, '--json');
      return {
        code,
        err,
        printed:
          out === ''
            ? []
            : out
                .trimEnd()
                .split('\n')
                .map((line) => JSON.parse(line)),
      };
    };
    const same = { code: 0, err: '', printed: [{ chains: 2 * ACCOUNTS, differing: 0 }] };
    /** Only the account’s live chain differs. */
    const differs = (reason: string, length: number) => ({
      code: 1,
      err: '',
      printed: [
        { tenantId: account.tenantId, environment: 'live', seq, length, reason },
        { chains: 2 * ACCOUNTS, differing: 1 },
      ],
    });
    /** The export with another head for the account’s live chain. */
    const withHead = (change: (head: Head) => Partial<Head>): string => {
      const file = join(folder, 'changed.jsonl');
      const lines = linesOf(kept).map((line) =>
        isOurs(line) ? { ...line, head: { ...line.head, ...change(line.head) } } : line,
      );
      writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      return file;
    };

    it('passes if every chain extends its exported head, also that of an empty chain', async () => {
      expect(linesOf(kept).filter(({ head }) => head?.seq === 0)).toHaveLength(ACCOUNTS);
      expect(await compare()).toEqual(same);
      await write();
      expect(await compare()).toEqual(same);
      expect(await svc('--compare', kept)).toMatchObject({
        code: 0,
        out: `Compared ${2 * ACCOUNTS} chains. Each has the row of its exported head.\n`,
      });
    });

    it('names the rows that a chain has lost', async () => {
      await service.db.query(sql`update audit_heads set seq = seq - 2
        where tenant_id = ${account.tenantId} and environment = 'live'`);
      expect(await compare()).toEqual(differs('tail_missing', seq - 2));
      expect(await svc('--compare', kept)).toMatchObject({
        code: 1,
        out: `Tenant ${account.tenantId} (live): rows ${seq - 1} to ${seq} are missing.\nCompared ${2 * ACCOUNTS} chains. 1 differ.\n`,
      });
    });

    it('names a chain that is lost as a whole', async () => {
      await service.db.query(
        sql`delete from audit_heads where tenant_id = ${account.tenantId} and environment = 'live'`,
      );
      expect(await compare()).toEqual(differs('head_missing', 0));
    });

    it('detects another row in the place of the exported one', async () => {
      const { tenantId } = account;
      const other = ({ seq, at }: Head) => {
        const head = { seq, hash: 'ab'.repeat(32), at: Date.parse(at) };
        return { hash: head.hash, ...signHead(service.app.deps.keyring.current, tenantId, 'live', head) };
      };
      expect(await compare(withHead(other))).toEqual(differs('kept_head_differs', seq));
    });

    it('does not trust a file that was changed: the head must have the server’s signature', async () => {
      expect(await compare(withHead(() => ({ hash: 'ab'.repeat(32) })))).toEqual(
        differs('head_signature', seq),
      );
      const lower = await compare(withHead(({ seq }) => ({ seq: seq - 1 })));
      expect(lower.printed[0]).toMatchObject({ reason: 'head_signature' });
      expect(await compare(withHead(() => ({ keyId: '0123456789abcdef' })))).toEqual(
        differs('head_key_unknown', seq),
      );
    });

    it('fails for a file that was cut off, or is something else', async () => {
      const file = join(folder, 'cut.jsonl');
      const lines = readFileSync(kept, 'utf8').split(/(?<=\n)/);
      const failure = async (text: string) => {
        writeFileSync(file, text);
        const { code, err } = await compare(file);
        return { code, message: JSON.parse(err).message };
      };
      const incomplete = { code: 1, message: expect.stringContaining('is incomplete') };
      expect(await failure(lines.slice(0, -1).join(''))).toEqual(incomplete);
      expect(await failure(lines.slice(1).join(''))).toEqual(incomplete);
      expect(await failure('')).toEqual(incomplete);
      const other = { code: 2, message: expect.stringMatching(/line \d+ is not part of one/) };
      expect(await failure([...lines, lines[0]].join(''))).toEqual(other);
      expect(await failure('{"id":"1"}\n')).toEqual(other);
      expect(await failure('hello\n')).toEqual(other);
      expect(await failure('{"environment":"live","head":null}')).toEqual(other);
      expect(await compare(join(folder, 'nowhere'))).toMatchObject({ code: 2, printed: [] });
      expect(await svc('--compare', kept, '--out', file)).toMatchObject({ code: 2, out: '' });
    });

    it('needs the secret of the restored database', async () => {
      const own = env;
      env = { ...env, SVC_SECRET: 'quite another secret, of thirty-two bytes' };
      const { code, err } = await compare();
      env = own;
      // The socket of an embedded database belongs to the server, which has its secret.
      if (socket === undefined)
        expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('SVC_SECRET') });
      else expect(code).toBe(0);
    });
  });
});
