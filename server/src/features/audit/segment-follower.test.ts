import { expect, it } from 'vitest';
import { canonicalJson, linkHash } from '../../ledger/audit-chain.js';
import { createSegmentFollower } from './segment-follower.js';

const start = { hash: '0'.repeat(64), seq: 0, at: 0 };
const event = {
  action: 'device.created',
  actorId: null,
  actorType: 'tenant',
  createdAt: '1970-01-01T00:00:01.000Z',
  entityId: null,
  entityType: 'device',
  environment: 'live',
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  metadata: {},
  seq: 1,
  status: 'success',
  // Long enough for the thread.
  summary: 'x'.repeat(300_000),
};
const canonical = canonicalJson(event);
const hash = linkHash(start.hash, canonical);
const { action, actorType, entityType, id, status, summary } = event;
const segment = [
  ...[1, hash, start.hash, canonical, action, 'null', actorType, 1_000],
  ...['null', entityType, id, '{}', status, summary],
].join('\t');

it('a thread that dies answers nothing, and the next segment gets another one', async () => {
  const { follow, close } = createSegmentFollower();
  await expect(follow(null as never, 'live', segment)).resolves.toBeUndefined();
  await expect(follow(start, 'live', segment)).resolves.toEqual({ seq: 1, hash, at: 1_000, id });
  await close();
});
