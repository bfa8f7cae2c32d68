// @module-tag if-touched chain/ server/test/anchors/ server/test/support/chain/ server/src/features/anchors/ server/src/ledger/: starts a blockchain
import { describe, expect, it } from 'vitest';
import { anchoredService } from '../support/chain/anchoring.js';
import { proveFor, registerPerson } from '../support/phone.js';
import { useRealProofs } from '../support/registered-proofs.js';
import { type Account, startService } from '../support/service.js';

useRealProofs();

const on = anchoredService();

describe('on-chain verification', () => {
  const info = async (of: Account) =>
    (await on.service.call('GET', '/v1/auth/zkp/circuit-info', { as: of.key })).body.verifyOnChain;

  it('also calls the contract; while that fails it returns 503 chain_unavailable and does not spend the nonce [anchors/verification-on-chain]', async () => {
    await on.run();
    await on.demand({ verification: 'onchain' });
    expect(await info(on.account)).toBe(true);
    const person = await registerPerson(on.service, on.account.key);
    const verify = (body: object) =>
      on.service.call('POST', '/v1/identity/verify', { as: on.account.key, body });
    expect((await verify(await proveFor(on.service, person, on.account))).status).toBe(200);
    const body = await proveFor(on.service, person, on.account);
    on.chain.fault = 'down';
    const rejected = await verify(body);
    expect([rejected.status, rejected.body.error]).toEqual([503, 'chain_unavailable']);
    expect(rejected.headers['retry-after']).toBeDefined();
    // A proof that our verifier rejects never reaches the contract.
    const signals = [...body.publicSignals];
    signals[2] = '1';
    expect((await verify({ ...body, publicSignals: signals })).status).toBe(401);
    on.chain.fault = 'none';
    expect((await verify(body)).status).toBe(200);
  });

  it('rejects a proof that the contract rejects, even if our verifier accepts it', async () => {
    const rejecting = await startService({
      db: on.db,
      clock: on.clock,
      chain: { ...on.chain.client, verifyProof: async () => false },
    });
    await rejecting.app.deps.anchoring!.run();
    await on.demand({ verification: 'onchain' });
    const person = await registerPerson(on.service, on.account.key);
    const body = await proveFor(on.service, person, on.account);
    const reply = await rejecting.call('POST', '/v1/identity/verify', { as: on.account.key, body });
    expect(reply.status).toBe(401);
    expect(rejecting.logged.join()).toContain('the contract rejects a proof');
    await rejecting.close();
  });

  it('never calls a contract before its blockchain and code were checked', async () => {
    await on.demand({ verification: 'onchain' });
    const person = await registerPerson(on.service, on.account.key);
    const body = await proveFor(on.service, person, on.account);
    const reply = await on.service.call('POST', '/v1/identity/verify', { as: on.account.key, body });
    expect([reply.status, reply.body.error]).toEqual([503, 'chain_unavailable']);
  });

  it('applies only to tenants that enabled it', async () => {
    const other = await on.service.signUp({ plan: 'enterprise' });
    expect(await info(other)).toBe(false);
    on.chain.fault = 'down';
    const person = await registerPerson(on.service, other.key);
    const body = await proveFor(on.service, person, other);
    expect((await on.service.call('POST', '/v1/identity/verify', { as: other.key, body })).status).toBe(200);
  });
});
