import { SEALED_FIELDS, SEALED_KINDS, type SealedKind } from '@svc/zk/records/kinds';
import { describe, expect, it } from 'vitest';
import { SEALED_TABLES, sealedColumns } from '../../../test/support/tenant-rule/seals.js';
import { COLUMNS } from '../../db/columns.js';

/** What changes without being an act that somebody answers for. */
const UNSEALED = {
  device: ['batteryLevel', 'lastSeenAt', 'updatedAt'],
  user: ['updatedAt'],
  verification: [],
  // Set once by the write that decides, and in its own entry.
  attendance: ['contestedAt', 'voidedBy'],
} as const;

/** Columns of what is sealed when it ends: secrets, what only counts before the end, and what still changes after it. */
const UNSEALED_COLUMNS = {
  registration: `challenge_nonce failures failed_tries for_user_id confirmations_needed owners by_reception name_how
    phone_connected_at`,
  pairing: `nonce bind_hash return_hash interaction_hash desktop_refresh_hash desktop_refresh_sealed browser_key browser_thumbprint
    proved_commitment proved_metadata error_count errors rotates proved_at phone_connected_at
    expires_at redeemed_at return_url return_expires_at desktop_session_id`,
} as const;

const words = (text: string) => text.split(/\s+/).filter(Boolean);
const OF_SEALS = 'tenant_id seal_n facts_salt text_salt text_hash sealed_at';

describe('the fields that the chain seals', () => {
  it.each(Object.entries(UNSEALED))(
    'are each field of a %s once, but for those that change without an act',
    (name, unsealed) => {
      const kind = name as keyof typeof UNSEALED;
      const { facts, text } = SEALED_FIELDS[kind].at(-1) as Record<'facts' | 'text', readonly string[]>;
      expect([...facts, ...text, ...unsealed].sort()).toEqual(
        Object.keys(SEALED_TABLES[kind].columns).sort(),
      );
    },
  );

  it.each(Object.entries(UNSEALED_COLUMNS))(
    'are of each column of a %s, but for those that nobody sealed when it ended',
    (name, unsealed) => {
      const kind = name as keyof typeof UNSEALED_COLUMNS;
      const { plain, person } =
        COLUMNS[SEALED_TABLES[kind].table as 'registration_sessions' | 'proof_pairing_sessions'];
      const { facts, text } = sealedColumns(kind);
      const others = new Set([...words(unsealed), ...words(OF_SEALS)]);
      const stored = [...words(plain), ...Object.keys(person)].filter((column) => !others.has(column));
      expect([...new Set([...facts, ...text])].sort()).toEqual(stored.sort());
    },
  );

  it('are of each kind', () => {
    const kinds: readonly SealedKind[] = [
      ...Object.keys(UNSEALED),
      ...Object.keys(UNSEALED_COLUMNS),
    ] as SealedKind[];
    expect(kinds.toSorted()).toEqual(SEALED_KINDS.toSorted());
  });
});
