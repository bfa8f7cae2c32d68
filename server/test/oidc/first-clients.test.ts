import { afterEach, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { createKeyPairs } from '../../src/features/openid-provider/keys/key-pairs.js';
import type { KeyPairs } from '../../src/http/deps.js';
import { heldKeyPairs } from '../support/key-pairs.js';
import { CLIENTS, WEB } from '../support/oidc-clients.js';
import { type Account, freshAddress, manualClock, type Service, startService } from '../support/service.js';

const nodes: Service[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close();
});
async function start(keyPairs: KeyPairs): Promise<Service> {
  const node = await startService({ keyPairs });
  nodes.push(node);
  return node;
}

const create = (node: Service, account: Account) =>
  node.call('POST', CLIENTS, { as: account.token, body: WEB });
const rowsOf = async (node: Service, { tenantId }: Account) => {
  const [row] = await node.db.query(sql`select
    (select count(*)::int from oidc_clients where tenant_id = ${tenantId}) as clients,
    (select count(*)::int from oidc_issuers where tenant_id = ${tenantId}) as issuers,
    (select count(*)::int from oidc_keys where tenant_id = ${tenantId}) as keys`);
  return row;
};

describe('the first clients of many accounts, created simultaneously,', () => {
  it('get their keys one after another, and a login does not wait for them', async () => {
    const held = heldKeyPairs();
    const node = await start(createKeyPairs(manualClock(), held.generate));
    const accounts = await Promise.all(Array.from({ length: 8 }, () => node.signUp()));
    const created = accounts.map((account) => create(node, account));
    await held.started;
    const { email, password } = accounts[0] as Account;
    const login = { body: { email, password }, address: freshAddress() };
    expect((await node.call('POST', '/api/console/login', login)).status).toBe(200);
    expect(held.counts()).toEqual({ runs: 1, mostRunning: 1 });
    held.release();
    expect((await Promise.all(created)).map(({ status }) => status)).toEqual(accounts.map(() => 201));
    expect(held.counts()).toEqual({ runs: 8, mostRunning: 1 });
  });

  it('return 503 with Retry-After and create nothing if too many wait', async () => {
    const held = heldKeyPairs();
    const keyPairs = createKeyPairs(manualClock(), held.generate);
    const node = await start(keyPairs);
    const account = await node.signUp();
    const waiting = Array.from({ length: 31 }, (_, issuer) =>
      keyPairs.generate({ tenantId: String(issuer), environment: 'live' }, 'RS256'),
    );
    const refused = await create(node, account);
    expect(refused).toMatchObject({ status: 503, body: { error: 'service_unavailable' } });
    expect(refused.headers['retry-after']).toBe('2');
    expect(await rowsOf(node, account)).toEqual({ clients: 0, issuers: 0, keys: 0 });
    held.release();
    await Promise.all(waiting);
    expect((await create(node, account)).status).toBe(201);
  });
});

describe('two first clients of an issuer, created simultaneously,', () => {
  /** Resolves `all` when that many RSA pairs were asked for. */
  function counted(keyPairs: KeyPairs, expected: number) {
    let asked = 0;
    let resolve = () => {};
    const all = new Promise<void>((resolveAll) => {
      resolve = resolveAll;
    });
    const generate: KeyPairs['generate'] = (issuer, alg) => {
      const pair = keyPairs.generate(issuer, alg);
      if (alg === 'RS256' && ++asked === expected) resolve();
      return pair;
    };
    return { keyPairs: { ...keyPairs, generate }, all };
  }

  it('share one pair on a node', async () => {
    const held = heldKeyPairs();
    const { keyPairs, all } = counted(createKeyPairs(manualClock(), held.generate), 2);
    const node = await start(keyPairs);
    const account = await node.signUp();
    const created = [create(node, account), create(node, account)];
    await all;
    held.release();
    expect((await Promise.all(created)).map(({ status }) => status)).toEqual([201, 201]);
    expect(held.counts().runs).toBe(1);
    expect(await rowsOf(node, account)).toEqual({ clients: 2, issuers: 1, keys: 2 });
  });

  it('have the keys of one of them if they are created on two nodes', { tags: ['ci'] }, async () => {
    const held = [heldKeyPairs(), heldKeyPairs()];
    const [one, other] = (await Promise.all(
      held.map(({ generate }) => start(createKeyPairs(manualClock(), generate))),
    )) as [Service, Service];
    const account = await one.signUp();
    const created = [create(one, account), create(other, account)];
    for (const { started } of held) await started;
    for (const { release } of held) release();
    expect((await Promise.all(created)).map(({ status }) => status)).toEqual([201, 201]);
    expect(await rowsOf(one, account)).toEqual({ clients: 2, issuers: 1, keys: 2 });
  });
});
