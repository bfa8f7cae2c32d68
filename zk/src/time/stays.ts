import type { Row } from './events.js';

/** A break. Without an end it has no minutes. */
export interface Pause {
  readonly from: Row;
  readonly to: Row | null;
}

/** A shift. Without an end it has no minutes. */
export interface Stay {
  readonly from: Row;
  readonly to: Row | null;
  readonly breaks: readonly Pause[];
}

export type ClosedStay = Stay & { readonly to: Row };

export const isClosed = (stay: Stay): stay is ClosedStay => stay.to !== null;

export type PairingCode =
  | 'double_tap'
  | 'two_check_ins'
  | 'check_out_alone'
  | 'open_shift'
  | 'open_break'
  | 'break_at_the_end'
  | 'break_alone';

export interface PairingFlag {
  readonly code: PairingCode;
  /** The first of them gives the flag its date. */
  readonly rows: readonly Row[];
}

export interface Pairing {
  /** In the order of their beginnings. No two overlap. */
  readonly stays: readonly Stay[];
  readonly flags: readonly PairingFlag[];
}

const DOUBLE_TAP_MS = 60_000;

/**
 * Makes shifts and breaks of sorted rows. What doesn't fit is flagged:
 *
 * - The same act again within 60 s, with nothing between: the later one is ignored.
 * - A check-in during a shift: the first shift stays without an end, a new one begins.
 * - The beginning of a break during a break: the first break stays without an end, a new one begins.
 * - A check-out during a break: the break ends with the shift, because the person said that they were on a break.
 * - A check-out or a break outside a shift, or the end of a break that did not begin: ignored.
 */
export function pairRows(rows: readonly Row[]): Pairing {
  const stays: Stay[] = [];
  const flags: PairingFlag[] = [];
  const flag = (code: PairingCode, ...of: Row[]) => flags.push({ code, rows: of });
  let shift: { from: Row; breaks: Pause[] } | undefined;
  let pause: Row | undefined;

  function leavePauseOpen(...next: Row[]) {
    if (!pause) return;
    flag('open_break', pause, ...next);
    shift?.breaks.push({ from: pause, to: null });
    pause = undefined;
  }
  function close(to: Row | null) {
    if (shift) stays.push({ ...shift, to });
    shift = undefined;
  }
  const take: Record<Row['act'], (row: Row) => void> = {
    begin(row) {
      if (shift) flag('two_check_ins', shift.from, row);
      leavePauseOpen();
      close(null);
      shift = { from: row, breaks: [] };
    },
    end(row) {
      if (!shift) flag('check_out_alone', row);
      if (pause) {
        flag('break_at_the_end', pause, row);
        shift?.breaks.push({ from: pause, to: row });
        pause = undefined;
      }
      close(row);
    },
    'begin break'(row) {
      leavePauseOpen(row);
      if (shift) pause = row;
      else flag('break_alone', row);
    },
    'end break'(row) {
      if (shift && pause) shift.breaks.push({ from: pause, to: row });
      else flag('break_alone', row);
      pause = undefined;
    },
  };

  let last: Row | undefined;
  for (const row of rows) {
    if (last?.act === row.act && row.at - last.at <= DOUBLE_TAP_MS) {
      flag('double_tap', last, row);
      continue;
    }
    last = row;
    take[row.act](row);
  }
  if (shift) flag('open_shift', shift.from);
  leavePauseOpen();
  close(null);
  return { stays, flags };
}
