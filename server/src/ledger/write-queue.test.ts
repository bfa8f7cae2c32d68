import { describe, expect, it } from 'vitest';
import { systemRandom } from '../base/crypto/random.js';
import type { Scope } from './audit-store.js';
import { createPendingWrite } from './pending-write.js';
import { createWriteQueue } from './write-queue.js';

const scopeOf = (tenantId: string): Scope => ({ tenantId, environment: 'live' });
const write = (tenantId: string) =>
  createPendingWrite(
    { scope: scopeOf(tenantId), actor: { type: 'system', id: null }, action: 'device.created' },
    async () => {},
    { resolve() {}, reject() {} },
    systemRandom,
  );

function fill(chains: Record<string, number>) {
  const queue = createWriteQueue();
  for (const [tenantId, count] of Object.entries(chains))
    for (let n = 0; n < count; n += 1) queue.push(write(tenantId));
  const take = (maxChains = 100) => {
    const { takeBatch, release } = queue.claim(maxChains);
    return { tenants: takeBatch().map(({ request }) => request.scope.tenantId), release };
  };
  return { queue, take };
}

describe('the queue of writes', () => {
  it('takes one write of each chain in turn, so that a flood of one leaves room for the others', () => {
    const { take } = fill({ flood: 500, a: 1, b: 2 });
    const { tenants, release } = take();
    expect(tenants).toHaveLength(64);
    expect(tenants.slice(0, 5)).toEqual(['flood', 'a', 'b', 'flood', 'b']);
    release();
  });

  it('starts the next batch with the chains that did not fit', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`t${at}`, 2]));
    const { take } = fill(many);
    const first = take();
    first.release();
    const second = take();
    expect(first.tenants).toEqual(Array.from({ length: 64 }, (_, at) => `t${at}`));
    expect(second.tenants.slice(0, 36)).toEqual(Array.from({ length: 36 }, (_, at) => `t${64 + at}`));
  });

  it('keeps a chain exclusive to the transaction that writes it', () => {
    const { queue, take } = fill({ a: 1, b: 1 });
    const first = take(1);
    queue.push(write('a'));
    expect(take().tenants).toEqual(['b']);
    expect(queue.hasAvailable()).toBe(false);
    expect(queue.waiting('a|live')).toBe(1);
    first.release();
    expect(queue.hasAvailable()).toBe(true);
    expect(take().tenants).toEqual(['a']);
  });

  it('forgets a chain without waiting writes', () => {
    const { queue, take } = fill({ a: 1, b: 3 });
    const { release } = take(1);
    expect(queue.remove('b|live')).toHaveLength(3);
    release();
    expect([queue.waiting('a|live'), queue.waiting('b|live')]).toEqual([undefined, undefined]);
  });
});
