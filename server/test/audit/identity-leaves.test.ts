import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sql, sql } from '../../src/db/sql.js';
import { requireUnchanged, type Unchanged } from '../../src/features/identities/commitments/commitments.js';
import { reader } from '../../src/ledger/write.js';
import { type Person, registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

const sha256 = (...parts: readonly (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The design's formula, written a second time. */
function leafOf(
  tenantId: string,
  environment: string,
  of: { identityId: string; userId: string; did: string; commitment: string; salt: string },
): string {
  const didHash = Buffer.concat([Buffer.alloc(1), sha256(of.did).subarray(0, 31)]);
  return sha256(
    Buffer.from([0, 3]),
    sha256(`svc-anchor-v1|${tenantId}|${environment}`),
    sha256(of.identityId),
    sha256(of.userId),
    didHash,
    Buffer.from(of.commitment, 'hex'),
    Buffer.from(of.salt, 'hex'),
  ).toString('hex');
}

describe('the leaf of an identity', () => {
  let service: Service;
  let account: Account;
  let stranger: Account;
  beforeAll(async () => {
    service = await startService();
    account = await service.signUp({ plan: 'enterprise' });
    stranger = await service.signUp({ plan: 'enterprise' });
  });
  afterAll(() => service.close());

  const register = () => registerPerson(service, account.key);
  const read = () => reader(service.db, { tenantId: account.tenantId, environment: 'live' });
  const open = (did: string, as = account.key) => service.call('GET', `/v1/identity/${did}/leaf`, { as });
  const identityOf = async ({ did }: Person) => {
    const [row] = await service.db.query<{ id: string; commitment: string }>(
      sql`select id, commitment from identities where tenant_id = ${account.tenantId} and did = ${did}`,
    );
    return row!;
  };
  const alter = (table: Sql, change: Sql, column: Sql, id: string) =>
    service.db.query(
      sql`update ${table} set ${change} where tenant_id = ${account.tenantId} and ${column} = ${id}`,
    );
  const alarms = () => service.logged.filter((line) => /"level":(60|"fatal")/.test(line));

  it('has the values whose hash the audit event names [GET /v1/identity/:did/leaf] [identities/leaf]', async () => {
    const person = await register();
    const { id } = await identityOf(person);
    const { status, body, headers } = await open(person.did.toUpperCase().replace('DID:SVC', 'did:svc'));
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    const { leaf } = body;
    expect(leaf).toMatchObject({
      action: 'identity.register',
      identityId: id,
      userId: person.userId,
      commitment: person.commitment,
      version: 1,
      createdAt: new Date(service.clock.now()).toISOString(),
    });
    expect(leaf.hash).toBe(leafOf(account.tenantId, 'live', { ...leaf, did: person.did }));
    const { body: page } = await service.call('GET', '/v1/audit?limit=1', { as: account.key });
    expect(page.audit[0]).toMatchObject({
      seq: leaf.seq,
      metadata: { identityId: id, userId: person.userId, identity_leaf: leaf.hash },
    });
  });

  it('is found for an identity that was revoked, and for no other account [identities/leaf]', async () => {
    const person = await register();
    await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did: person.did } });
    expect(await open(person.did)).toMatchObject({ status: 200 });
    for (const [did, as] of [
      [person.did, stranger.key],
      [person.did, await service.createKey(account, 'test')],
      ['did:svc:00', account.key],
      ['did:other:00', account.key],
    ] as const)
      expect(await open(did, as)).toMatchObject({ status: 404, body: { error: 'identity_not_found' } });
  });

  it('keeps DID, commitment and salt out of the audit chain [identities/leaf]', async () => {
    const person = await register();
    const { body } = await open(person.did);
    const [row] = await service.db.query<{ text: string }>(
      sql`select string_agg(to_json(e)::text, ' ') as text from audit_events e where tenant_id = ${account.tenantId}`,
    );
    const { commitment, salt, didHash } = body.leaf;
    for (const secret of [person.did, person.did.slice(8), commitment, salt, didHash])
      expect(row!.text).not.toContain(secret);
  });

  it('has the event that is not the first after its time, if the clock was set back', async () => {
    const person = await register();
    const { id } = await identityOf(person);
    const later = new Date(service.clock.now() + 1000);
    await alter(sql`identity_commitments`, sql`created_at = ${later}`, sql`identity_id`, id);
    expect(await open(person.did)).toMatchObject({ status: 200 });
  });

  describe('when the database says something else than the audit chain', () => {
    const other = 'ab'.repeat(32);
    const swaps: Record<string, (id: string, of: { userId: string; rowOf: string }) => Promise<unknown>> = {
      'a commitment that is not the newest of its history': (id) =>
        alter(sql`identities`, sql`commitment = ${other}`, sql`id`, id),
      'a swapped commitment': async (id) => {
        const mine = createHash('sha256').update(id).digest('hex').replace(/^./, '0');
        await alter(sql`identities`, sql`commitment = ${mine}`, sql`id`, id);
        await alter(sql`identity_commitments`, sql`commitment = ${mine}`, sql`identity_id`, id);
      },
      'a swapped commitment with a leaf that fits': async (id, { userId, rowOf }) => {
        const mine = createHash('sha256').update(`${id}2`).digest('hex').replace(/^./, '0');
        const leaf = leafOf(account.tenantId, 'live', {
          identityId: id,
          userId,
          did: rowOf,
          commitment: mine,
          salt: other,
        });
        await alter(sql`identities`, sql`commitment = ${mine}`, sql`id`, id);
        const change = sql`commitment = ${mine}, salt = ${other}, leaf = ${leaf}`;
        await alter(sql`identity_commitments`, change, sql`identity_id`, id);
      },
      'another person': async (id) => {
        const { userId } = await register();
        await alter(sql`identities`, sql`user_id = ${userId}`, sql`id`, id);
      },
      'another DID': (id) => alter(sql`identities`, sql`did = ${`did:svc:${other}`}`, sql`id`, id),
      'another salt': (id) => alter(sql`identity_commitments`, sql`salt = ${other}`, sql`identity_id`, id),
      'the leaf of somebody else': async (id) => {
        const { body } = await open((await register()).did);
        await alter(sql`identity_commitments`, sql`leaf = ${body.leaf.hash}`, sql`identity_id`, id);
      },
    };

    it.each(Object.keys(swaps))(
      'authorizes nothing with %s: 503 identity_changed and an alarm [identities/leaf]',
      async (name) => {
        const person = await register();
        const { id, commitment } = await identityOf(person);
        expect(await requireUnchanged(service.app.deps, read(), { id, commitment })).toMatchObject({
          version: 1,
        });
        await swaps[name]?.(id, { userId: person.userId, rowOf: person.did });
        const before = alarms().length;
        const now = await service.db.query<{ did: string; commitment: string }>(
          sql`select did, commitment from identities where tenant_id = ${account.tenantId} and id = ${id}`,
        );
        const changed = { id, commitment: now[0]!.commitment };
        await expect(requireUnchanged(service.app.deps, read(), changed)).rejects.toMatchObject({
          code: 'identity_changed',
        });
        expect(await open(now[0]!.did)).toMatchObject({ status: 503, body: { error: 'identity_changed' } });
        const logged = alarms().slice(before).join();
        expect(logged).toContain(id);
        for (const secret of [now[0]!.did, now[0]!.commitment, person.did, person.commitment, other])
          expect(logged).not.toContain(secret);
      },
    );

    it('authorizes nothing without a history once the chain is complete [identities/earlier-identities]', async () => {
      const own = await service.signUp();
      const person = await registerPerson(service, own.key);
      const scope = { tenantId: own.tenantId, environment: 'live' } as const;
      const [row] = await service.db.query<{ id: string; commitment: string }>(
        sql`select id, commitment from identities where tenant_id = ${own.tenantId} and did = ${person.did}`,
      );
      const lost = sql`delete from identity_commitments where tenant_id = ${own.tenantId}`;
      await service.db.query(lost);
      const require = () => requireUnchanged(service.app.deps, reader(service.db, scope), row!);
      expect(await require()).toMatchObject({ version: 1 });
      const actor = { type: 'system', id: null } as const;
      await service.app.deps.write({ scope, actor, action: 'chain.leaves_complete' }, async (w) =>
        w.audit({ entityType: 'tenant', entityId: own.tenantId }),
      );
      await expect(require()).rejects.toMatchObject({ code: 'identity_changed' });
    });
  });

  it('returns nothing for an identity that no longer has the commitment, without an alarm', async () => {
    const { id } = await identityOf(await register());
    const before = alarms().length;
    const rotated = { id, commitment: 'cd'.repeat(32) };
    expect(await requireUnchanged(service.app.deps, read(), rotated)).toBeUndefined();
    expect(alarms()).toHaveLength(before);
  });

  it('is added to an identity from before by the write that it authorizes, once [identities/earlier-identities]', async () => {
    const person = await register();
    const { id, commitment } = await identityOf(person);
    const gone = sql`delete from identity_commitments where tenant_id = ${account.tenantId} and identity_id = ${id}`;
    await service.db.query(gone);
    expect(await open(person.did)).toMatchObject({ status: 404 });
    const add = async (unchanged: Unchanged | undefined) => {
      const scope = read().scope;
      const actor = { type: 'system', id: null } as const;
      await service.app.deps.write({ scope, actor, action: 'identity.verify' }, async (w) => {
        w.audit({ entityType: 'identity', entityId: id });
        await unchanged?.ensureLeaf(w, new Date(service.clock.now()));
      });
    };
    const both = await Promise.all(
      [1, 2].map(() => requireUnchanged(service.app.deps, read(), { id, commitment })),
    );
    await Promise.all(both.map(add));
    expect(await open(person.did)).toMatchObject({
      status: 200,
      body: { leaf: { action: 'identity.leaf_added', version: 1, identityId: id, userId: person.userId } },
    });
    const added = await service.db.query(sql`select 1 from audit_events
      where tenant_id = ${account.tenantId} and action = 'identity.leaf_added' and entity_id = ${id}`);
    expect(added).toHaveLength(1);
  });
});
