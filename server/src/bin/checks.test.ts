import { describe, expect, it } from 'vitest';
import { clockCheck } from './checks.js';
import { schemaCheck } from './operator-checks.js';

describe('a check', () => {
  it.each([
    [0, 'ok'],
    [-5_000, 'ok'],
    [5_001, 'warn'],
    [-300_000, 'warn'],
    [300_001, 'fail'],
    [-86_400_000, 'fail'],
  ])('of a clock %d ms ahead is %s', (aheadMs, status) => {
    const check = clockCheck('clock', 'the server’s', aheadMs);
    expect(check.status).toBe(status);
    if (status !== 'ok')
      expect(check.detail).toContain(aheadMs > 0 ? 'behind the server’s' : 'ahead of the server’s');
  });

  it.each([
    [{ missing: [], changed: [], newer: [] }, 'ok', 'up to date'],
    [{ missing: ['0006_x'], changed: [], newer: [] }, 'warn', '0006_x'],
    [{ missing: [], changed: [], newer: ['0099_y'] }, 'warn', '0099_y'],
    [{ missing: ['0006_x'], changed: ['0001_z'], newer: [] }, 'fail', '0001_z'],
  ])('of a schema with %j is %s', (found, status, said) => {
    expect(schemaCheck(found)).toMatchObject({ status, detail: expect.stringContaining(said) });
  });
});
