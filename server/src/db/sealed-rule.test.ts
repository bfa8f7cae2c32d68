import { beforeAll, describe, expect, it } from 'vitest';
import { loadParser } from '../../test/support/tenant-rule/check.js';
import { unsealedIn } from '../../test/support/tenant-rule/seals.js';

beforeAll(loadParser);

describe('a statement of the tests', () => {
  it.each([
    'select status from devices',
    'update devices set last_seen_at = $1, updated_at = $1',
    'update devices set status = $1, seal_n = $2, facts_salt = $3, text_salt = $4',
    'update verifications t set reference_id = null, text_salt = null, text_hash = $1',
    'update sessions set status = $1',
    'insert into devices (id, seal_n, facts_salt, text_salt) values ($1, $2, $3, $4)',
    'delete from attendance',
  ])('may be: %s', (text) => {
    expect(unsealedIn(text)).toEqual([]);
  });

  it.each([
    ['update devices set status = $1', 'devices: status without a seal'],
    ['update tenant_users set full_name = $1, text_salt = $2', 'tenant_users: full_name without a seal'],
    [
      'update verifications set result = $1, text_salt = null, text_hash = $2',
      'verifications: result without a seal',
    ],
    ['insert into attendance (id) values ($1)', 'attendance: id without a seal'],
    [
      'with a as (update devices d set name = $1 returning id) select id from a',
      'devices: name without a seal',
    ],
  ])('may not be: %s', (text, fault) => {
    expect(unsealedIn(text)).toEqual([fault]);
  });
});
