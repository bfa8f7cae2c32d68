// @module-tag if-touched chain/ server/test/anchors/ server/test/support/chain/ server/src/features/anchors/ server/src/ledger/: starts a blockchain

import type { AddressInfo } from 'node:net';
import { Svc } from '@svc/sdk';
import { describe, expect, it } from 'vitest';
import { anchoredService } from '../support/chain/anchoring.js';

const on = anchoredService();

const list = async (query = '', as: { as: string } | { session: string } = { as: on.account.key }) => {
  const reply = await on.service.call('GET', `/v1/anchors${query}`, as);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};

describe('the list of anchored records [GET /v1/anchors] [anchors/list-of-anchors]', () => {
  it('shows what waits, then its batch, transaction and block', async () => {
    on.chain.fault = 'down';
    const { userId } = await on.registerWithoutChain();
    const before = await list();
    expect(before.waiting).toEqual({ count: 1, since: before.anchors[0].createdAt });
    expect(before.anchors).toEqual([
      expect.objectContaining({
        kind: 'identity',
        status: 'waiting',
        userId,
        batchId: null,
        txHash: null,
        block: null,
        includedAt: null,
      }),
    ]);

    on.chain.fault = 'none';
    await on.expectExact();
    const { anchors, waiting } = await list();
    expect(waiting).toEqual({ count: 0, since: null });
    const [anchor] = anchors;
    const { blockNumber } = await on.chain.anvil.rpc.getTransactionReceipt({ hash: anchor.txHash });
    expect(anchor).toMatchObject({
      id: before.anchors[0].id,
      status: 'included',
      batchId: 1,
      chainId: on.chain.settings.chainId,
      contract: on.chain.settings.contracts.anchorHub.toLowerCase(),
      block: Number(blockNumber),
      confirmedAt: null,
    });

    await on.chain.anvil.rpc.mine({ blocks: 80 });
    await on.expectExact();
    expect((await list()).anchors[0]).toMatchObject({
      status: 'confirmed',
      confirmedAt: expect.any(String),
    });
  });

  it('shows the block of the transaction that was mined again after a reorganisation', async () => {
    const snapshot = await on.chain.anvil.rpc.snapshot();
    await on.register();
    await on.expectExact();
    const [before] = (await list()).anchors;
    await on.chain.anvil.rpc.revert({ id: snapshot });
    await on.chain.anvil.rpc.mine({ blocks: 3 });
    await on.expectExact();
    const [after] = (await list()).anchors;
    const { blockNumber } = await on.chain.anvil.rpc.getTransactionReceipt({ hash: after.txHash });
    expect(after).toMatchObject({ id: before.id, batchId: before.batchId, block: Number(blockNumber) });
    expect(after.block).toBeGreaterThan(before.block);
  });

  it('takes one kind, pages, and names people if it is asked to', async () => {
    await on.demand({ did: 'onchain', auditAnchor: 'onchain' });
    const first = await on.register();
    const second = await on.register();
    on.clock.advance(600_000);
    await on.expectExact();
    const [head] = (await list('?kind=audit_head')).anchors;
    expect(head).toMatchObject({
      kind: 'audit_head',
      seq: expect.any(Number),
      identityId: null,
      userId: null,
    });
    const page = await list('?kind=identity&limit=1');
    expect(page.anchors).toEqual([expect.objectContaining({ userId: second.userId })]);
    expect(page.anchors[0]).not.toHaveProperty('userName');
    const next = await list(`?kind=identity&limit=1&include=names&cursor=${page.nextCursor}`);
    expect(next).toMatchObject({
      anchors: [{ userId: first.userId, userName: expect.any(String) }],
      nextCursor: null,
    });
  });

  it('names nobody who was deleted, and has no proof of them', async () => {
    const { userId } = await on.register();
    await on.expectExact();
    const [{ id }] = (await list()).anchors;
    const { status } = await on.service.call('POST', `/v1/users/${userId}/erase`, {
      as: await on.service.createKey(on.account, 'live', ['users:erase']),
      body: {},
    });
    expect(status).toBe(200);
    expect((await list('?include=names')).anchors).toEqual([
      expect.objectContaining({ id, status: 'included', userId: null, identityId: null, userName: null }),
    ]);
    expect((await on.service.call('GET', `/v1/anchors/proof?id=${id}`, { as: on.account.key })).status).toBe(
      404,
    );
  });

  it('is of one account and environment', async () => {
    await on.register();
    const stranger = await on.service.signUp({ plan: 'growth' });
    const nothing = { anchors: [], nextCursor: null, waiting: { count: 0, since: null } };
    expect(await list('', { as: stranger.key })).toMatchObject(nothing);
    expect(await list('', { as: await on.service.createKey(on.account, 'test') })).toMatchObject(nothing);
  });

  it('is for the dashboard too, with the proof of each record', async () => {
    await on.demand({ did: 'onchain', auditAnchor: 'onchain' });
    await on.register();
    on.clock.advance(600_000);
    await on.expectExact();
    const session = { session: on.account.token };
    const { anchors } = await list('?environment=live', session);
    expect(new Set(anchors.map(({ kind }: { kind: string }) => kind))).toEqual(
      new Set(['audit_head', 'identity']),
    );
    for (const { id, kind, batchId } of anchors) {
      const { status, body } = await on.service.call(
        'GET',
        `/v1/anchors/proof?environment=live&id=${id}`,
        session,
      );
      expect([status, body.anchor]).toEqual([200, expect.objectContaining({ kind, batchId })]);
    }
    expect((await list('?environment=test', session)).anchors).toEqual([]);
    const both = await on.service.call('GET', `/v1/anchors/proof?id=${anchors[0].id}&seq=1`, session);
    expect([both.status, both.body.error]).toEqual([400, 'invalid_request']);
  });

  it('is read by the SDK', async () => {
    const { userId } = await on.register();
    await on.service.app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = on.service.app.http.server.address() as AddressInfo;
    const svc = new Svc({ baseUrl: `http://127.0.0.1:${port}`, apiKey: on.account.key });
    const found = [];
    for await (const anchor of svc.audit.listAnchors({ kind: 'identity' })) found.push(anchor);
    expect(found).toMatchObject([{ userId }]);
  });
});
