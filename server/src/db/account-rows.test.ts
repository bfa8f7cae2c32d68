import { describe, expect, it } from 'vitest';
import { DELETED_TABLES, KEPT } from './account-rows.js';
import { TABLES } from './tables.js';

/** Tables without rows of accounts. */
const OF_NO_ACCOUNT = [
  'anchor_batches',
  'anchor_transactions',
  'anchor_workers',
  'demo_idp_codes',
  'demo_idp_keys',
  'leads',
  'restores',
  'schema_migrations',
  'sealing_keys',
];

describe('what happens to the rows of an account that is deleted', () => {
  it('is decided for every table [erasure/closing-an-account]', () => {
    const decided = [...DELETED_TABLES, ...Object.keys(KEPT), ...OF_NO_ACCOUNT];
    expect(decided.sort()).toEqual(Object.keys(TABLES).sort());
  });
});
