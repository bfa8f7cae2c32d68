import type { TimeEvent } from '@svc/zk/time/events';
import { sheetOf } from '@svc/zk/time/sheet';
import fc from 'fast-check';
import type { PersonSheet, SitePeriod } from '../../src/features/sheets/files/people.js';

type Step = readonly [act: keyof typeof ACTS, minutesLater: number];

const ACTS = {
  in: { type: 'check_in', reason: 'work' },
  out: { type: 'check_out', reason: 'work' },
  pause: { type: 'check_out', reason: 'break' },
  back: { type: 'check_in', reason: 'break' },
} as const;

/** Punches, each some minutes after the one before. The first is some minutes after midnight (UTC) of the day before the month. */
function eventsOf(month: string, evidence: TimeEvent['evidence'], steps: readonly Step[]): TimeEvent[] {
  let at = Date.parse(`${month}-01`) - 86_400_000;
  return steps.map(([act, minutesLater], index) => {
    at += minutesLater * 60_000;
    return { id: `${evidence}${index}`, ...ACTS[act], evidence, occurredAt: new Date(at).toISOString() };
  });
}

const upTo = (minutes: number) => fc.integer({ min: 0, max: minutes });
const shift = fc
  .tuple(upTo(2_000), upTo(400), upTo(90), upTo(800))
  .map(([...gaps]): Step[] =>
    (['in', 'pause', 'back', 'out'] as const).map((act, index) => [act, gaps[index] ?? 0]),
  );
const anything = fc.tuple(fc.constantFrom<Step[0]>('in', 'out', 'pause', 'back'), upTo(1_000));
const steps = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: shift },
      anything.map((step): Step[] => [step]),
    ),
    { maxLength: 12 },
  )
  .map((lists) => lists.flat());

/** Texts that files of tables have trouble with. */
const texts = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.string({ unit: fc.constantFrom(...'",;\r\n\t =+-@\'aéé😀€'), minLength: 1, maxLength: 8 }),
  fc.constantFrom('=1+1', '@SUM(A1)', '007', '1e5', '1,5', 'TRUE', '_x0041_', '__proto__', 'constructor'),
);

const personOf = (zone: string, month: string): fc.Arbitrary<PersonSheet> =>
  fc
    .record({
      userId: fc.uuid(),
      name: texts,
      employeeCode: fc.option(texts),
      own: steps,
      asserted: steps,
      rules: fc.constantFrom('none', 'DE', 'ES'),
    })
    .map(({ own, asserted, rules, ...person }) => {
      const events = [...eventsOf(month, 'proved', own), ...eventsOf(month, 'asserted', asserted)];
      return { ...person, sheet: sheetOf(events, { zone, month, rules, version: 1 }) };
    });

/** The hours of a few people in a month. */
export const months: fc.Arbitrary<{ people: PersonSheet[]; period: SitePeriod }> = fc
  .tuple(
    fc.constantFrom('Europe/Madrid', 'America/Havana', 'UTC'),
    fc.constantFrom('2026-03', '2026-10', '2026-11'),
    texts,
  )
  .chain(([timeZone, month, name]) =>
    fc.record({
      people: fc.array(personOf(timeZone, month), { maxLength: 4 }),
      period: fc.constant({ site: { name, timeZone }, company: 'Example', month }),
    }),
  );

/**
 * A person with shifts in Madrid in March 2026.
 * @param shifts UTC, such as `02T08:00 12:00-12:30 02T16:00`, without an end if there is only a beginning
 * @param asserted more of them, which are asserted
 */
export function personWith(
  { name, employeeCode }: Pick<PersonSheet, 'name' | 'employeeCode'>,
  shifts: readonly string[],
  asserted: readonly string[] = [],
): PersonSheet {
  const events = (list: readonly string[], evidence: TimeEvent['evidence']) =>
    list.flatMap((text) => {
      const at = (act: keyof typeof ACTS, time: string): TimeEvent => {
        return { id: `${act} ${time}`, ...ACTS[act], evidence, occurredAt: `2026-03-${time}:00Z` };
      };
      return text.split(' ').flatMap((part, index) => {
        const [from = '', to] = part.split('-');
        if (to === undefined) return [at(index === 0 ? 'in' : 'out', part)];
        const day = text.slice(0, 3);
        return [at('pause', `${day}${from}`), at('back', `${day}${to}`)];
      });
    });
  const sheet = sheetOf([...events(shifts, 'proved'), ...events(asserted, 'asserted')], {
    ...{ zone: MADRID.site.timeZone, month: MADRID.month, rules: 'none', version: 1 },
  });
  return { userId: name, name, employeeCode, sheet };
}

export const MADRID: SitePeriod = {
  ...{ site: { name: 'Madrid', timeZone: 'Europe/Madrid' }, company: 'Example', month: '2026-03' },
};
