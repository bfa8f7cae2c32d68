import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { signBehind, signGrown } from '../../src/features/audit/tree/jobs.js';
import { signNext } from '../../src/features/audit/tree/signing.js';
import { awaitTree, inclusionOf, readTree } from '../../src/features/audit/tree/tree.js';
import type { Scope } from '../../src/ledger/audit-store.js';
import { reader } from '../../src/ledger/write.js';
import { addRows, changeRow, isIncluded, rootOfRows, rowHashes } from '../support/audit-trees.js';
import { ADMIN_KEY, type Service, startService } from '../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** A chain of that many rows. */
async function chainOf(length: number): Promise<Scope> {
  const { tenantId } = await service.signUp();
  const scope = { tenantId, environment: 'test' } as const;
  if (length > 0) await grow(scope, length);
  return scope;
}
const grow = (scope: Scope, rows: number) => addRows(service.db, scope, rows, service.clock.now());
const treeOf = (scope: Scope) => readTree(reader(service.app.deps.db, scope));
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const alarms = ({ tenantId }: Scope) =>
  service.logged.filter((line) => line.includes(tenantId) && line.includes('"level":"fatal"'));
const integrity = async ({ tenantId, environment }: Scope) =>
  (
    await service.call('GET', `/api/admin/audit-integrity?tenantId=${tenantId}&environment=${environment}`, {
      headers: { 'x-api-key': ADMIN_KEY },
    })
  ).body.chains[0];

/** That the newest tree covers all rows, and that these proofs hold in it and in the earlier trees. */
async function expectSound(scope: Scope, sizes: readonly number[], seqs: readonly number[]) {
  const hashes = await rowHashes(service.db, scope);
  await expect(treeOf(scope)).resolves.toMatchObject({
    size: hashes.length,
    hash: hashes.at(-1),
    root: hexOf(rootOfRows(hashes)),
  });
  const read = reader(service.app.deps.db, scope);
  for (const size of sizes) {
    const root = rootOfRows(hashes.slice(0, size));
    for (const seq of [...seqs, size].filter((each) => each <= size)) {
      const inclusion = await inclusionOf(read, seq, size);
      expect(isIncluded(hashes[seq - 1] as string, { seq, size, inclusion }, root), `${seq} of ${size}`).toBe(
        true,
      );
    }
  }
}

describe('the tree over an audit chain', () => {
  it('proves entries at every size around the borders of tiles, whenever it was signed [audit/tree]', async () => {
    const scope = await chainOf(253);
    const sizes: number[] = [];
    for (const more of [1, 1, 1, 1, 1, 254, 2, 700]) {
      await grow(scope, more);
      await signNext(service.app.deps, [scope]);
      sizes.push((await treeOf(scope))?.size as number);
    }
    expect(sizes.slice(0, 5)).toEqual([254, 255, 256, 257, 258]);
    await expectSound(scope, sizes, [1, 2, 100, 254, 255, 256, 257, 512, 513]);
  });

  it('is made for a chain from before in steps, up to the third level of tiles [audit/tree] [audit/signed-trees]', {
    tags: ['ci'],
  }, async () => {
    const scope = await chainOf(65_537);
    await expect(treeOf(scope)).resolves.toBeUndefined();
    await signBehind(service.app.deps);
    await expectSound(scope, [255, 65_535, 65_536, 65_537], [1, 256, 257, 40_000, 65_536]);
    await grow(scope, 300);
    await signNext(service.app.deps, [scope]);
    await expectSound(scope, [65_536, 65_837], [65_537, 65_800]);
  });

  it('is signed by the job for the chains that this node has added rows to, and for no others [audit/signed-trees]', async () => {
    const account = await service.signUp();
    const live = { tenantId: account.tenantId, environment: 'live' } as const;
    const other = await chainOf(3);
    await signGrown(service.app.deps);
    const { size } = (await treeOf(live)) as { size: number };
    await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
    await signGrown(service.app.deps);
    await expect(treeOf(live)).resolves.toMatchObject({ size: size + 1 });
    await expect(treeOf(other)).resolves.toBeUndefined();
    await signBehind(service.app.deps);
    await expect(treeOf(other)).resolves.toMatchObject({ size: 3 });
  });

  it('is one tree when several nodes sign it at the same time [audit/signed-trees]', async () => {
    const second = await startService();
    const scope = await chainOf(0);
    for (let round = 0; round < 12; round += 1) {
      await grow(scope, 97);
      await Promise.all(
        [service, second, service, second].map(({ app }) => awaitTree(app.deps, scope, 97 * (round + 1))),
      );
    }
    await second.close();
    await expectSound(scope, [97, 256, 512, 1_000, 1_164], [1, 250, 256, 257, 700]);
    expect(alarms(scope)).toEqual([]);
  });

  it('continues after a process that ended before it had signed the tree, also if rows were added since [audit/signed-trees]', async () => {
    const scope = await chainOf(3_000);
    const { db } = service.app.deps;
    const cut = { ...db, query: failingAt(db, 'insert into audit_trees') } as typeof db;
    await expect(signNext({ ...service.app.deps, db: cut }, [scope])).rejects.toThrow('the process ended');
    await expect(treeOf(scope)).resolves.toBeUndefined();
    await grow(scope, 1_000);
    await signBehind(service.app.deps);
    await expectSound(scope, [255, 2_048, 3_000, 4_000], [1, 256, 2_000, 2_048, 2_049]);
  });

  it('gets no rows that do not follow the signed ones, and the alarm names the chain [audit/signed-trees]', async () => {
    const scope = await chainOf(300);
    await signNext(service.app.deps, [scope]);
    await grow(scope, 10);
    await changeRow(service.db, scope, 305);
    await expect(signNext(service.app.deps, [scope])).resolves.toEqual(['broken']);
    await expect(treeOf(scope)).resolves.toMatchObject({ size: 300 });
    expect(alarms(scope)).toHaveLength(1);
    expect(alarms(scope)[0]).toContain('"reason":"link_broken"');
    await expect(awaitTree(service.app.deps, scope, 301)).resolves.toBeNull();
  });

  it('does not prove an entry that was changed after it was signed [audit/signed-trees]', async () => {
    const scope = await chainOf(300);
    await signNext(service.app.deps, [scope]);
    const tree = await treeOf(scope);
    const root = rootOfRows(await rowHashes(service.db, scope));
    expect(hexOf(root)).toBe(tree?.root);
    for (const seq of [100, 290]) {
      await changeRow(service.db, scope, seq);
      const changed = (await rowHashes(service.db, scope))[seq - 1] as string;
      const inclusion = await inclusionOf(reader(service.app.deps.db, scope), seq, 300);
      expect(isIncluded(changed, { seq, size: 300, inclusion }, root)).toBe(false);
    }
    // Its tile would not be what was signed.
    await grow(scope, 300);
    await expect(signNext(service.app.deps, [scope])).resolves.toEqual(['broken']);
  });

  it('is compared with its chain by the integrity check [audit/signed-trees]', async () => {
    const account = await service.signUp();
    const scope = { tenantId: account.tenantId, environment: 'live' } as const;
    await signNext(service.app.deps, [scope]);
    const set = (column: 'hash' | 'root' | 'size', value: string | number) => {
      const change = {
        hash: sql`hash = ${value}`,
        root: sql`root = ${value}`,
        size: sql`size = ${value}`,
      }[column];
      return service.db.query(sql`update audit_trees set ${change}
        where tenant_id = ${scope.tenantId} and environment = 'live'`);
    };
    const { size, hash, root } = (await treeOf(scope)) as { size: number; hash: string; root: string };
    await expect(integrity(scope)).resolves.toMatchObject({ status: 'pass' });
    for (const [column, wrong, right] of [
      ['hash', '0'.repeat(64), hash],
      ['root', '0'.repeat(64), root],
      ['size', size + 1, size],
    ] as const) {
      await set(column, wrong);
      await expect(integrity(scope)).resolves.toMatchObject({ status: 'fail', reason: 'tree_differs' });
      await set(column, right);
    }
    await service.db.query(sql`update audit_trees set signature = ${'0'.repeat(128)}
      where tenant_id = ${scope.tenantId}`);
    await expect(integrity(scope)).resolves.toMatchObject({ status: 'fail', reason: 'tree_signature' });
  });

  it('is signed again by the job after a change of the server secret, if its signature was right [audit/signed-trees]', async () => {
    const [sound, forged] = [await chainOf(5), await chainOf(5)];
    await signNext(service.app.deps, [sound, forged]);
    await service.db.query(
      sql`update audit_trees set root = ${'0'.repeat(64)} where tenant_id = ${forged.tenantId}`,
    );
    const [before, left] = [await treeOf(sound), await treeOf(forged)];
    const env = { SVC_SECRET_PREVIOUS: 'the secret of the tests, 32 bytes and more' };
    const secret = 'another secret of the tests, 32 bytes long';
    const rotated = await startService({ secret, env });
    await signBehind(rotated.app.deps);
    const after = await treeOf(sound);
    expect(after).toMatchObject({ size: 5, root: before?.root, at: before?.at });
    expect(after?.keyId).toBe(rotated.app.deps.keyring.current.kid);
    expect(after?.signature).not.toBe(before?.signature);
    await expect(treeOf(forged)).resolves.toEqual(left);
    await rotated.close();
    // The job has signed the trees of other tests too, whose services know only their own secret.
    const back = await startService({ env: { SVC_SECRET_PREVIOUS: secret } });
    await signBehind(back.app.deps);
    expect((await treeOf(sound))?.keyId).toBe(service.app.deps.keyring.current.kid);
    await back.close();
  });
});

/** Rejects the statements that begin so. */
function failingAt(db: Service['app']['deps']['db'], start: string) {
  return ((statement: Parameters<typeof db.query>[0]) =>
    statement.text.startsWith(start)
      ? Promise.reject(new Error('the process ended'))
      : db.query(statement)) as typeof db.query;
}
