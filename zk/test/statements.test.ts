import { describe, expect, it } from 'vitest';
import { statements } from './support/scripts.js';

describe('a contribution', () => {
  const contributions = ['Ada', 'Bo', 'Cy'].map((name, i) => ({ name, hash: `${i}`.repeat(64) }));
  const stated = (name: string, i: number, published = `https://${name}.example`) =>
    ({ phase: 1, name, contribution: `${i}`.repeat(64), published }) as const;
  const all = contributions.map(({ name }, i) => stated(name, i));

  it('counts if it has a statement', async () => {
    const { matchStatements } = await statements();
    const { counted, notCounted } = matchStatements(1, contributions, all);
    expect([counted, notCounted]).toEqual([all, []]);
  });

  it.each([
    ['it is missing', all.slice(1), 'no statement'],
    ['it belongs to another contribution', [stated('Ada', 9), ...all.slice(1)], 'no statement'],
    ['it belongs to another phase', [{ ...all[0], phase: 2 as const }, ...all.slice(1)], 'no statement'],
    ['it has another name', [stated('Eve', 0), ...all.slice(1)], 'no statement'],
    ['it has no address', [stated('Ada', 0, ''), ...all.slice(1)], 'no statement'],
  ])('does not count if its statement is invalid: %s', async (_, given, why) => {
    const { matchStatements } = await statements();
    const { counted, notCounted } = matchStatements(1, contributions, given);
    expect(counted.map(({ name }) => name)).toEqual(['Bo', 'Cy']);
    expect(notCounted).toEqual([`Phase 1, contribution 1 (Ada): ${why}.`]);
  });

  it.each([
    ['name', contributions.map(({ hash }) => ({ name: 'Ada', hash })), undefined],
    ['address', contributions, 'https://ada.example'],
  ])('counts once if three have the same %s', async (_, three, address) => {
    const { matchStatements } = await statements();
    const given = three.map(({ name }, i) => stated(name, i, address ?? `https://${i}.example`));
    const { counted, notCounted } = matchStatements(1, three, given);
    expect([counted.length, notCounted.length]).toEqual([1, 2]);
  });

  it('counts in the phase with fewer, and a public phase 1 is ignored', async () => {
    const { countContributors } = await statements();
    const second = all.slice(0, 2).map((one) => ({ ...one, phase: 2 as const }));
    expect(countContributors(contributions, contributions, [...all, ...second]).contributors).toBe(2);
    expect(countContributors(undefined, contributions, [...all, ...second]).contributors).toBe(2);
    expect(countContributors(contributions, contributions, all).contributors).toBe(0);
  });
});
