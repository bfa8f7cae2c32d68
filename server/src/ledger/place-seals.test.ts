import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withSeals } from './place-seals.js';
import type { PlacedSeal } from './record-seal.js';
import type { AuditEntry } from './write.js';

const seal = (kind: PlacedSeal['kind'], id: string, text = `seal of ${id}`): PlacedSeal => ({
  kind,
  id,
  seal: text,
});
const entry = (entityType: string, entityId: string, metadata?: AuditEntry['metadata']): AuditEntry => ({
  ...{ entityType, entityId },
  ...(metadata && { metadata }),
});

describe('the seal of a record', () => {
  it.each<[string, AuditEntry[], PlacedSeal[], AuditEntry[]]>([
    [
      'is in the entry about it',
      [entry('registration', 'r', { deviceId: 'd' }), entry('device', 'd', { tries: 1 })],
      [seal('device', 'd')],
      [entry('registration', 'r', { deviceId: 'd' }), entry('device', 'd', { tries: 1, seal: 'seal of d' })],
    ],
    [
      'is else in the entry that names it',
      [entry('pairing', 'p'), entry('pairing', 'p', { verificationId: 'v' })],
      [seal('verification', 'v')],
      [entry('pairing', 'p'), entry('pairing', 'p', { verificationId: 'v', seal_verification: 'seal of v' })],
    ],
    [
      'is else in the first entry that names no record of its kind',
      [entry('registration', 'r', { deviceId: 'other' }), entry('tenant', 't')],
      [seal('device', 'd')],
      [
        entry('registration', 'r', { deviceId: 'other' }),
        entry('tenant', 't', { deviceId: 'd', seal_device: 'seal of d' }),
      ],
    ],
    [
      'has else an entry of its own, after the others',
      [entry('user', 'u')],
      [seal('device', 'a'), seal('device', 'b')],
      [
        entry('user', 'u', { deviceId: 'a', seal_device: 'seal of a' }),
        { action: 'device.updated', ...entry('device', 'b', { seal: 'seal of b' }) },
      ],
    ],
    [
      'is that of its last change',
      [entry('device', 'd')],
      [seal('device', 'd', 'first'), seal('device', 'd', 'second')],
      [entry('device', 'd', { seal: 'second' })],
    ],
  ])('%s', (_, entries, seals, expected) => {
    expect(withSeals(entries, seals)).toEqual(expected);
  });

  it('of a verification is never lost', () => {
    expect(() =>
      withSeals([entry('pairing', 'p', { verificationId: 'v' })], [seal('verification', 'other')]),
    ).toThrow('No entry of this write can name the verification that it seals');
  });

  it('is once in the entries of any write, with the id of its record', () => {
    const ids = fc.constantFrom('a', 'b', 'c');
    const kinds = fc.constantFrom<'device' | 'user'>('device', 'user');
    const entries = fc.array(
      fc.record({
        entityType: fc.constantFrom('device', 'user', 'tenant'),
        entityId: ids,
        metadata: fc.option(fc.record({ deviceId: ids }), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(
        entries,
        fc.uniqueArray(fc.tuple(kinds, ids), { selector: ([, id]) => id }),
        (given, placed) => {
          const made = withSeals(
            given as AuditEntry[],
            placed.map(([kind, id]) => seal(kind, id)),
          );
          for (const [kind, id] of placed) {
            const found = made.filter(
              ({ entityType, entityId, metadata }) =>
                (entityType === kind && entityId === id && metadata?.seal === `seal of ${id}`) ||
                (metadata?.[`${kind}Id`] === id && metadata[`seal_${kind}`] === `seal of ${id}`),
            );
            expect(found).toHaveLength(1);
          }
          expect(made.slice(0, given.length).map(({ entityId }) => entityId)).toEqual(
            given.map(({ entityId }) => entityId),
          );
        },
      ),
    );
  });
});
