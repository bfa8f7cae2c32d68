import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byId, lineOfEntry, lineOfName, lineOfState } from './record-lines.js';

const text = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\t', 'a\nb', '\ud800', 'null'),
);
const maybe = fc.option(text, { nil: undefined });

describe('lines about a record', () => {
  it('say which entry is the first that lacks a seal', () => {
    const entry = { kind: 'device', id: 'a', seal: undefined, at: 'b', actor: 'c' } as const;
    const lines = [7, 8].map((seq) => lineOfEntry({ ...entry, seq }));
    expect([...byId(lines)]).toEqual([
      ['a', { seals: [], states: [], isNamed: true, lacking: { seq: 7, at: 'b' } }],
    ]);
  });

  it('say what was noted, whatever an entry or a row contains', () => {
    const seal = fc.record({ seq: fc.nat(), seal: text, at: text, actor: text });
    const state = fc.record({
      lacks: fc.constantFrom(undefined, 'number', 'facts', 'text'),
      seal: maybe,
      person: maybe,
      isEmpty: fc.boolean(),
    });
    fc.assert(
      fc.property(text, fc.array(seal), fc.array(state), fc.boolean(), (id, seals, states, isNamed) => {
        const lines = [
          ...(isNamed ? [lineOfName(id)] : []),
          ...seals.map((one) => lineOfEntry({ kind: 'device', id, ...one })),
          ...states.map((one) => lineOfState(id, one)),
        ];
        expect(lines.join('')).not.toContain('\n');
        const all = [...byId([...lines, lineOfName(`${id}.`)])];
        const found = { seals, states, isNamed: isNamed || seals.length > 0 };
        const other = [`${id}.`, { seals: [], states: [], isNamed: true }];
        expect(all).toEqual(lines.length === 0 ? [other] : [[id, found], other]);
      }),
    );
  });
});
