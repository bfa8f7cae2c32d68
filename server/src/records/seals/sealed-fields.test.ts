import { SEALED_FIELDS, SEALED_KINDS, type SealedKind } from '@svc/zk/records/kinds';
import { describe, expect, it } from 'vitest';
import { SEALED_TABLES } from '../../../test/support/tenant-rule/seals.js';

/** What changes without being an act that somebody answers for. */
const UNSEALED: Readonly<Record<SealedKind, readonly string[]>> = {
  device: ['batteryLevel', 'lastSeenAt', 'updatedAt'],
  user: ['updatedAt'],
  verification: [],
  attendance: [],
};

describe('the fields that the chain seals', () => {
  it.each(SEALED_KINDS)('are each field of a %s once, but for those that change without an act', (kind) => {
    const { facts, text } = SEALED_FIELDS[kind].at(-1) as {
      facts: readonly string[];
      text: readonly string[];
    };
    expect([...facts, ...text, ...UNSEALED[kind]].sort()).toEqual(
      Object.keys(SEALED_TABLES[kind].columns).sort(),
    );
  });
});
