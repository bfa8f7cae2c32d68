// @module-tag if-touched chain/ server/test/anchors/ server/test/support/chain/ server/src/features/anchors/ server/src/ledger/: starts a blockchain
import type { AddressInfo } from 'node:net';
import { anchorHub } from '@svc/chain/generated/contracts';
import { wordOf } from '@svc/chain/leaves';
import { Svc } from '@svc/sdk';
import { didHash } from '@svc/zk/field';
import { describe, expect, it } from 'vitest';
import { anchoredService } from '../support/chain/anchoring.js';

const on = anchoredService();

describe('the proof of an anchored record', () => {
  const prove = (query = '', as = on.account.key) =>
    on.service.call('GET', `/v1/anchors/proof${query}`, { as });
  // biome-ignore lint/suspicious/noExplicitAny: a reply, whose schema the sweeps check
  const holds = ({ leaf, salt, proof, batchId, contract }: any) =>
    on.chain.anvil.rpc.readContract({
      address: contract,
      abi: anchorHub.abi,
      functionName: 'verifyLeaf',
      args: [BigInt(batchId), leaf.kind, leaf.tag, leaf.first, leaf.second, salt, proof],
    });

  it('verifies against the root in the contract for an identity, the newest head and the head that covers an event [anchors/proof-of-an-anchor] [GET /v1/anchors/proof]', async () => {
    await on.demand({ did: 'onchain', auditAnchor: 'onchain' });
    on.chain.fault = 'down';
    const people = [
      await on.registerWithoutChain(),
      await on.registerWithoutChain(),
      await on.registerWithoutChain(),
    ];
    on.chain.fault = 'none';
    on.clock.advance(600_000);
    await on.expectExact();
    for (const { did, commitment } of people) {
      const { status, body } = await prove(`?did=${did}`);
      expect(status).toBe(200);
      expect(body.anchor).toMatchObject({
        kind: 'identity',
        status: 'included',
        leaf: { first: `0x${wordOf(didHash(did))}`, second: `0x${commitment}` },
        chainId: on.chain.settings.chainId,
        root: `0x${await on.chain.client.rootOf(body.anchor.batchId)}`,
      });
      expect(await holds(body.anchor)).toBe(true);
      const { blockNumber } = await on.chain.anvil.rpc.getTransactionReceipt({ hash: body.anchor.txHash });
      expect(blockNumber).toBeGreaterThan(0n);
    }
    for (const query of ['', '?seq=1']) {
      const { body } = await prove(query);
      expect(body.anchor).toMatchObject({ kind: 'audit_head', leaf: { kind: 2 } });
      expect(await holds(body.anchor)).toBe(true);
    }
  });

  it('is returned by the SDK, and is on the last line of an export [anchors/proof-of-an-anchor]', async () => {
    await on.demand({ did: 'onchain', auditAnchor: 'onchain' });
    const { did } = await on.register();
    on.clock.advance(600_000);
    await on.expectExact();
    await on.service.app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = on.service.app.http.server.address() as AddressInfo;
    const svc = new Svc({ baseUrl: `http://127.0.0.1:${port}`, apiKey: on.account.key });
    expect((await svc.audit.getAnchorProof({ did })).anchor).toMatchObject({ kind: 'identity' });
    const { anchor } = await svc.audit.getAnchorProof();
    const lines = [];
    for await (const line of svc.audit.export()) lines.push(line);
    expect(lines.at(-1)).toMatchObject({ environment: 'live', anchor });
    await expect(svc.audit.getAnchorProof({ seq: 1_000_000 })).rejects.toMatchObject({
      code: 'anchor_not_found',
    });
  });

  it('returns 404 anchor_not_found for records that are not anchored or belong to others', async () => {
    const { did } = await on.register();
    const other = await on.service.signUp({ plan: 'growth' });
    const testKey = await on.service.createKey(on.account, 'test');
    for (const reply of [
      await prove(`?did=${did}`, other.key),
      await prove(`?did=${did}`, testKey),
      await prove('?did=did:svc:00'),
      await prove(''),
      await prove('?seq=1000000'),
    ])
      expect([reply.status, reply.body.error]).toEqual([404, 'anchor_not_found']);
    expect((await prove(`?did=${did}&seq=1`)).status).toBe(400);
    expect((await prove(`?did=${did}`)).status).toBe(200);
  });
});
