import { createHash } from 'node:crypto';
import { sealOf } from '@svc/zk/records/seal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contest, proposeOwn, punchAt } from '../support/punches.js';
import { type Service, startService } from '../support/service.js';
import { timeScene } from '../support/time-scene.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

it('an event that was contested and taken back still has the seal of its first entry [time/outside-the-seal]', async () => {
  const { account, desk, ada } = await timeScene(service);
  const { attendance, receipt } = (await punchAt(service, desk, ada)).body;
  const { id, type, reason, occurredAt } = attendance;
  await contest(service, ada, account, id);
  const changes = [{ old: { id, type, reason, occurredAt }, new: null }];
  const taken = await proposeOwn(service, ada, account, {
    ...{ userId: ada.userId, cause: 'double', note: null, changes },
  });
  expect(taken.body.correction?.state, taken.text).toBe('agreed');
  const proof = (await service.call('GET', `/v1/attendance/${id}/proof`, { as: account.key })).body;
  expect(proof.record).toMatchObject({ contestedAt: expect.any(String), voidedBy: taken.body.correction.id });
  const { kind, record, n, salts } = proof;
  expect(sealOf({ kind, n, record, salts }, digest).seal).toBe(receipt.entry.metadata.seal);
  expect(proof.entry.seq).toBe(receipt.entry.seq);
});
