import { describe, expect, it } from 'vitest';
import type { Scope } from './audit-store.js';
import { createPendingWrite } from './pending-write.js';
import { createWriteQueue, MAX_BATCH_SIZE, MAX_QUEUE_LENGTH, type Turn } from './write-queue.js';

const scopeOf = (tenantId: string): Scope => ({ tenantId, environment: 'live' });
const write = (tenantId: string) =>
  createPendingWrite(
    { scope: scopeOf(tenantId), actor: { type: 'system', id: null }, action: 'device.created' },
    async () => {},
    { resolve() {}, reject() {} },
  );

function fill(chains: Record<string, number>) {
  const queue = createWriteQueue();
  for (const [tenantId, count] of Object.entries(chains))
    for (let n = 0; n < count; n += 1) queue.push(write(tenantId));
  /** The tenants of the next batch, by write. */
  const take = () => {
    const turn = queue.next();
    const tenants = turn?.takeBatch().map(({ request }) => request.scope.tenantId) ?? [];
    return { tenants, release: () => turn?.release() };
  };
  return { queue, take };
}

describe('waiting writes', () => {
  it('form batches of one chain, in order, of at most 64', () => {
    const queue = createWriteQueue();
    const writes = Array.from({ length: MAX_BATCH_SIZE + 6 }, () => write('a'));
    for (const each of writes) queue.push(each);
    queue.push(write('b'));
    const turn = queue.next() as Turn;
    expect(turn.takeBatch()).toEqual(writes.slice(0, MAX_BATCH_SIZE));
    turn.release();
    queue.next()?.release();
    expect(queue.next()?.takeBatch()).toEqual(writes.slice(MAX_BATCH_SIZE));
  });

  it('take turns by chain, so that a flood of one leaves room for the others', () => {
    const { take } = fill({ flood: 500, a: 1, b: 70 });
    const order: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const { tenants, release } = take();
      order.push(`${tenants[0]} ${tenants.length}`);
      release();
    }
    expect(order).toEqual(['flood 64', 'a 1', 'b 64', 'flood 64', 'b 6', 'flood 64']);
  });

  it('stay in the queue while another transaction writes to their chain', () => {
    const { queue, take } = fill({ a: 1, b: 1 });
    const first = take();
    queue.push(write('a'));
    expect(take().tenants).toEqual(['b']);
    expect(queue.next()).toBeUndefined();
    first.release();
    expect(take().tenants).toEqual(['a']);
  });

  it('are limited to 1,000 a chain', () => {
    const { queue } = fill({ a: MAX_QUEUE_LENGTH });
    expect(queue.push(write('a'))).toBe(false);
    expect(queue.push(write('b'))).toBe(true);
    const turn = queue.next() as Turn;
    turn.takeBatch();
    const room = Array.from({ length: MAX_BATCH_SIZE + 1 }, () => queue.push(write('a')));
    expect(room.filter(Boolean)).toHaveLength(MAX_BATCH_SIZE);
  });

  it('are all removed when the queue is cleared, also those of a chain that is being written', () => {
    const { queue, take } = fill({ a: 70, b: 3 });
    const { release } = take();
    expect(queue.clear()).toHaveLength(6 + 3);
    release();
    expect(queue.next()).toBeUndefined();
    queue.push(write('b'));
    expect(take().tenants).toEqual(['b']);
  });
});
