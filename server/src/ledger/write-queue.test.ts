import { describe, expect, it } from 'vitest';
import type { Scope } from './audit-store.js';
import { createPendingWrite } from './pending-write.js';
import { createWriteQueue } from './write-queue.js';

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
  const take = (mostChains = 100) => {
    const { take: next, done } = queue.claim(mostChains);
    return { tenants: next().map(({ request }) => request.scope.tenantId), done };
  };
  return { queue, take };
}

describe('writes that wait', () => {
  it('take their turns by chain, so that a flood of one leaves room for the others', () => {
    const { take } = fill({ flood: 500, a: 1, b: 2 });
    const { tenants, done } = take();
    expect(tenants).toHaveLength(64);
    expect(tenants.slice(0, 5)).toEqual(['flood', 'a', 'b', 'flood', 'b']);
    done();
  });

  it('of more chains than fit go first the next time', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`t${at}`, 2]));
    const { take } = fill(many);
    const first = take();
    first.done();
    const second = take();
    expect(first.tenants).toEqual(Array.from({ length: 64 }, (_, at) => `t${at}`));
    expect(second.tenants.slice(0, 36)).toEqual(Array.from({ length: 36 }, (_, at) => `t${64 + at}`));
  });

  it('are nobody else’s while their chain is being served', () => {
    const { queue, take } = fill({ a: 1, b: 1 });
    const first = take(1);
    queue.push(write('a'));
    expect(take().tenants).toEqual(['b']);
    expect(queue.hasFree()).toBe(false);
    expect(queue.waiting('a|live')).toBe(1);
    first.done();
    expect(queue.hasFree()).toBe(true);
    expect(take().tenants).toEqual(['a']);
  });

  it('leave nothing of their chain behind', () => {
    const { queue, take } = fill({ a: 1, b: 3 });
    const { done } = take(1);
    expect(queue.remove('b|live')).toHaveLength(3);
    done();
    expect([queue.waiting('a|live'), queue.waiting('b|live')]).toEqual([undefined, undefined]);
  });
});
