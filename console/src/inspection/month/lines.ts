import type { PersonSheet } from '@svc/sdk';
import { daysOf } from './dates';

type Shift = PersonSheet['sheet']['shifts'][number];
type Break = Shift['breaks'][number];

/** A time of the sheet. Null: the span has no end. */
export interface Moment {
  readonly at: string | null;
  readonly isAsserted: boolean;
  /** The person says that it is wrong. */
  readonly isContested: boolean;
}

/** A shift or a break. */
export interface Span {
  readonly id: string;
  readonly from: Moment;
  readonly to: Moment;
}

/** A day of the sheet with what began on it. */
export interface DayLine {
  readonly date: string;
  readonly shifts: readonly Span[];
  readonly breaks: readonly Span[];
  readonly breakMinutes: number;
  readonly minutes: number;
  /** What the company alone says, besides. */
  readonly asserted: number;
  /** The numbers of its flags, from 1, in the list below the table. */
  readonly flags: readonly number[];
  readonly marks: PersonSheet['marks'];
}

export interface Lines {
  readonly days: readonly DayLine[];
  /** The codes of the flags, in the order of their numbers. */
  readonly codes: readonly string[];
  readonly hasAsserted: boolean;
  readonly hasContested: boolean;
}

/** All days of the month, so that nobody asks whether one was left out. */
export function linesOf({ sheet, marks, contestedIds }: PersonSheet): Lines {
  const codes = [...new Set(sheet.flags.map(({ code }) => code))];
  const contested = new Set(contestedIds);
  const momentOf = (at: string | null, id: string | null, isAsserted: boolean): Moment => ({
    ...{ at, isAsserted, isContested: id !== null && contested.has(id) },
  });
  const spanOf = ({ from, to, fromId, toId }: Shift | Break, isAsserted: boolean): Span => ({
    id: fromId,
    from: momentOf(from, fromId, isAsserted),
    to: momentOf(to, toId, isAsserted),
  });
  const days = daysOf(sheet.month).map((date): DayLine => {
    const day = sheet.days.find((one) => one.date === date);
    const shifts = sheet.shifts.filter((shift) => shift.date === date);
    return {
      date,
      shifts: shifts.map((shift) => spanOf(shift, shift.asserted)),
      breaks: shifts.flatMap((shift) => shift.breaks.map((pause) => spanOf(pause, shift.asserted))),
      breakMinutes: day?.breakMinutes ?? 0,
      minutes: day?.minutes ?? 0,
      asserted: (day?.minutesWithAsserted ?? 0) - (day?.minutes ?? 0),
      flags: [...new Set(day?.flags.map(({ code }) => codes.indexOf(code) + 1))].sort((a, b) => a - b),
      marks: marks.filter((mark) => mark.date === date),
    };
  });
  return {
    ...{ days, codes },
    hasAsserted: sheet.shifts.some(({ asserted }) => asserted),
    hasContested: contestedIds.length > 0,
  };
}
