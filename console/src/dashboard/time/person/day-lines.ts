import type { PersonSheet } from '@svc/sdk';
import { shownFlags } from '@svc/zk/time/shown-flags';
import { daysOf } from '../parts/months';

type Sheet = PersonSheet['sheet'];

/** A day of the sheet with what began on it. */
export interface DayLine {
  readonly date: string;
  readonly isWeekend: boolean;
  readonly shifts: Sheet['shifts'];
  readonly minutes: number;
  readonly minutesWithAsserted: number;
  readonly breakMinutes: number;
  /** The numbers of the notes below the table. */
  readonly notes: readonly number[];
  readonly marks: PersonSheet['marks'];
}

export interface Lines {
  readonly days: readonly DayLine[];
  /** The codes of the flags, in the order in which they first come. A note’s number is its place, from 1. */
  readonly codes: readonly string[];
}

/** All days of the month, so that nobody asks whether one was left out. */
export function linesOf({ sheet, marks }: Pick<PersonSheet, 'sheet' | 'marks'>, today: string): Lines {
  const codes = [...new Set(shownFlags(sheet.flags, today).map(({ code }) => code))];
  const days = daysOf(sheet.month).map(({ date, isWeekend }) => {
    const day = sheet.days.find((one) => one.date === date);
    return {
      ...{ date, isWeekend, shifts: sheet.shifts.filter((shift) => shift.date === date) },
      minutes: day?.minutes ?? 0,
      minutesWithAsserted: day?.minutesWithAsserted ?? 0,
      breakMinutes: day?.breakMinutes ?? 0,
      notes: notesOf(shownFlags(day?.flags ?? [], today), codes),
      marks: marks.filter((mark) => mark.date === date),
    };
  });
  return { days, codes };
}

const notesOf = (flags: Sheet['flags'], codes: readonly string[]): readonly number[] =>
  [...new Set(flags.map(({ code }) => codes.indexOf(code) + 1))].sort((a, b) => a - b);

/** The time of a local time such as `2026-05-12T22:00+02:00`, with the day if it is another one. */
export function timeOf(local: string | null, date: string): string {
  if (local === null) return '?';
  const days = (Date.parse(local.slice(0, 10)) - Date.parse(date)) / 86_400_000;
  return local.slice(11, 16) + (days === 0 ? '' : ` (+${days})`);
}
