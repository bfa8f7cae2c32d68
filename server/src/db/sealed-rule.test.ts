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
    expect(unsealedIn({ text, values: [] })).toEqual([]);
  });

  const OPEN = ['awaiting_device', 'awaiting_commitment'];
  it.each<[string, unknown[]]>([
    ["insert into registration_sessions (id, state) values ($1, 'awaiting_device')", []],
    ['insert into proof_pairing_sessions (id) values ($1)', []],
    [
      "update registration_sessions t set state = 'pending_recovery' where t.id = $1 and t.state = any($2)",
      ['', OPEN],
    ],
    ['update registration_sessions set state = $1 where state = any($2)', ['awaiting_commitment', OPEN]],
    ["update proof_pairing_sessions set user_id = $1 where state in ('issued', 'proved')", []],
    ['update proof_pairing_sessions set redeemed_at = $1, expires_at = $1', []],
    ["update proof_pairing_sessions set state = 'bound', facts_salt = $1, text_salt = $2", []],
  ])('may be, of rows that have not ended: %s', (text, values) => {
    expect(unsealedIn({ text, values })).toEqual([]);
  });

  it.each<[string, unknown[], string]>([
    ["insert into registration_sessions (state) values ('completed')", [], 'registration_sessions: state'],
    ['insert into registration_sessions (state) select state from x', [], 'registration_sessions: state'],
    [
      "update registration_sessions set state = 'expired' where state = $1",
      OPEN,
      'registration_sessions: state',
    ],
    [
      'update registration_sessions set state = $1 where state = $2',
      ['expired', 'awaiting_device'],
      'registration_sessions: state',
    ],
    ['update registration_sessions set user_id = $1 where id = $1', [], 'registration_sessions: user_id'],
    [
      "update registration_sessions set user_id = $1 where state = 'awaiting_device' or id = $1",
      [],
      'registration_sessions: user_id',
    ],
    [
      "update registration_sessions set user_id = $1 where state <> 'completed'",
      [],
      'registration_sessions: user_id',
    ],
    [
      "update proof_pairing_sessions set did = $1 where state in ('issued', 'bound')",
      [],
      'proof_pairing_sessions: did',
    ],
    [
      "update proof_pairing_sessions set state = case when $1 then 'bound' else 'issued' end where state = 'issued'",
      [],
      'proof_pairing_sessions: state',
    ],
  ])('may not be, of rows that may have ended: %s', (text, values, fault) => {
    expect(unsealedIn({ text, values })).toEqual([`${fault} without a seal`]);
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
    expect(unsealedIn({ text, values: [] })).toEqual([fault]);
  });
});
