import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOUNS, type Noun, TYPES } from '../../nouns/words/event-types';
import { isChosen, stateOf, textOfPatterns, toggleNoun, toggleType } from './patterns';

const noun = (name: string): Noun => NOUNS.find((one) => one.noun === name) as Noun;
const users = noun('user');
const sessions = noun('session');

describe('the patterns of a webhook', () => {
  it('become the pattern of a noun when all of its types are chosen, and its types when one is left out', () => {
    const others = ['user.created', 'user.erased', 'user.erasure_scheduled'];
    expect(toggleType(others, users, 'user.updated')).toEqual(['user.*']);
    expect(toggleType(['user.*'], users, 'user.updated')).toEqual(others);
    expect(toggleType(['user.created'], users, 'user.created')).toEqual([]);
  });

  it('choose a whole noun instead of some of its types, and keep other nouns', () => {
    expect(toggleNoun(['user.created', 'quota.threshold'], users)).toEqual(['quota.threshold', 'user.*']);
    expect(toggleNoun(['quota.threshold', 'user.*'], users)).toEqual(['quota.threshold']);
  });

  it('say whether all, some or no types of a noun are chosen', () => {
    expect(stateOf(['session.*'], sessions)).toBe('all');
    expect(stateOf(['*'], sessions)).toBe('all');
    expect(stateOf(['session.revoked'], sessions)).toBe('some');
    expect(stateOf(['user.*'], sessions)).toBe('none');
  });

  it('select exactly the types that were chosen, in whichever order they were', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TYPES), { maxLength: 80 }), (toggled) => {
        const chosen = new Set<string>();
        let patterns: readonly string[] = [];
        for (const type of toggled) {
          patterns = toggleType(patterns, noun(type.slice(0, type.indexOf('.'))), type);
          if (!chosen.delete(type)) chosen.add(type);
        }
        expect(TYPES.filter((type) => isChosen(patterns, type))).toEqual(
          TYPES.filter((type) => chosen.has(type)),
        );
        expect(patterns.length).toBeLessThanOrEqual(50);
      }),
    );
  });

  it('are shown as a text, of which the first three are named', () => {
    expect(textOfPatterns(['*'])).toBe('All events');
    expect(textOfPatterns(['user.*', 'quota.threshold'])).toBe('user.*, quota.threshold');
    expect(textOfPatterns(['a.b', 'c.d', 'e.f', 'g.h', 'i.j'])).toBe('a.b, c.d, e.f and 2 more');
  });
});

describe('the nouns', () => {
  it('have names in words, and every type belongs to one', () => {
    expect(NOUNS.flatMap(({ types }) => types).toSorted()).toEqual(TYPES.toSorted());
    expect(NOUNS.filter(({ noun: id, name }) => id === name)).toEqual([]);
  });
});
