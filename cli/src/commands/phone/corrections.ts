import {
  type Correction,
  decideCorrection,
  linkMember,
  monthOf,
  type OwnMonth,
  prepareCorrection,
  proposeCorrection,
  readMemberLink,
  readMonth,
  setAttendancePin,
} from '@svc/sdk/time';
import { CORRECTION_CAUSES } from '@svc/zk/time/correction';
import type { Action, Commands, Options } from '../../command.js';
import { UsageError } from '../../failure.js';
import { explainRejection } from '../../phone/explain.js';
import { acting, type OwnPhone, ownPhone } from '../../phone/places.js';
import { describeCorrection } from '../../phone/working-time.js';
import { plain } from '../../terminal.js';
import { expectOk, withPlace } from './options.js';

/** What a person does about their hours besides punching: corrections, the PIN for desks, and whose log-in is theirs. */
export function phoneCorrectionCommands(phone: Commands): void {
  withPlace(phone.command('correct', 'propose what a row should be instead, or answer a correction', correct))
    .option('--month <YYYY-MM>', 'the month of the row or the correction (default: this one)')
    .option('--row <id>', 'the row that is wrong. Without it, the event is missing')
    .option('--at <time>', 'when it was, as ISO 8601 with a zone: 2026-05-12T08:00+02:00')
    .option('--out', 'they went instead of coming')
    .option('--break', 'a break ended, or began with --out')
    .option('--never', 'the row should not be there')
    .option('--cause <cause>', `${CORRECTION_CAUSES.join(', ')} (default: other)`)
    .option('--note <text>', 'for the company')
    .option('--agree <id>', 'agree to this correction of the company')
    .option('--contest <id>', 'contest it');
  withPlace(
    phone.command('pin', 'set the PIN with which this person clocks in at desks without a phone', pin),
  ).option('--pin <digits>', 'six digits (default: asks)');
  withPlace(phone.command('member', 'show that a log-in of the team is this person’s', member)).argument(
    '<code>',
    'what the dashboard shows: svc://member?t=… or its address',
  );
}

const explaining =
  ({ svc }: OwnPhone) =>
  (error: Parameters<typeof explainRejection>[1]) =>
    explainRejection(svc, error);

const correct: Action = async (run, _, options) => {
  const own = ownPhone(run, options);
  const { phone, enrollment } = own;
  const answered = options.agree ?? options.contest;
  if (options.agree !== undefined && options.contest !== undefined)
    throw new UsageError('Pass --agree or --contest, not both.');
  const wish = answered === undefined ? wishIn(options) : undefined;
  const read = await expectOk(
    acting(readMonth(phone, enrollment.id, monthIn(own, options), own.file.timeAt(enrollment)), enrollment),
    options,
    explaining(own),
  );
  const correction =
    wish === undefined
      ? await answer(own, read, String(answered), options)
      : await propose(own, read, wish, options);
  run.show({ correction }, `${describeCorrection(correction)}\nIt is ${correction.state}.`);
};

function monthIn({ svc }: OwnPhone, { month }: Options): string {
  const text = String(month ?? monthOf(svc.serverNow(), 'UTC'));
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(text)) throw new UsageError('A month is YYYY-MM, such as 2026-05.');
  return text;
}

type Wish = ReturnType<typeof wishIn>;

/** What the options say that is right. Checked before the phone proves anything. */
function wishIn({ row, at, out, never, cause = 'other', note, ...rest }: Options) {
  const known = CORRECTION_CAUSES.find((each) => each === cause);
  if (known === undefined) throw new UsageError(`A cause is one of ${CORRECTION_CAUSES.join(', ')}.`);
  if ((at === undefined) === (never === undefined))
    throw new UsageError('Pass --at with the time that is right, or --never with --row.');
  if (never && row === undefined)
    throw new UsageError('Pass --row with the id of the row that should not be there.');
  const moment = at === undefined ? undefined : new Date(String(at));
  if (moment && (Number.isNaN(moment.getTime()) || !/(Z|[+-]\d\d:\d\d)$/.test(String(at))))
    throw new UsageError('A time is ISO 8601 with a zone, such as 2026-05-12T08:00+02:00.');
  const type = out ? ('check_out' as const) : ('check_in' as const);
  const reason = rest.break ? ('break' as const) : ('work' as const);
  return {
    rowId: row === undefined ? undefined : String(row).toLowerCase(),
    next: moment ? { type, reason, occurredAt: moment.toISOString() } : null,
    cause: known,
    note: note === undefined ? null : String(note),
  };
}

async function propose(own: OwnPhone, read: OwnMonth, wish: Wish, options: Options): Promise<Correction> {
  const { phone, enrollment } = own;
  const found = read.rows.find(({ attendance }) => attendance.id === wish.rowId)?.attendance;
  if (wish.rowId !== undefined && found === undefined)
    throw new UsageError(
      `The month ${read.month} has no row ${plain(wish.rowId)}. \`svc phone time\` lists them.`,
    );
  const userId = found?.userId ?? enrollment.enrolment?.userId ?? read.rows[0]?.attendance.userId;
  if (userId === undefined) throw new UsageError('This phone does not know its person yet. Clock in first.');
  const old = found && {
    ...{
      id: found.id,
      type: found.type,
      reason: found.reason ?? ('work' as const),
      occurredAt: found.occurredAt,
    },
  };
  const { next, cause, note } = wish;
  const proposing = async () => {
    const correction = { userId, cause, note, changes: [{ old: old ?? null, new: next }] };
    const shown = await prepareCorrection(phone, enrollment.id, correction);
    return proposeCorrection(phone, enrollment.id, shown);
  };
  return expectOk(acting(proposing(), enrollment), options, explaining(own));
}

async function answer(own: OwnPhone, read: OwnMonth, id: string, options: Options): Promise<Correction> {
  const { phone, enrollment } = own;
  const found = read.corrections.find((correction) => correction.id === id.toLowerCase());
  if (found === undefined)
    throw new UsageError(
      `The month ${read.month} has no correction ${plain(id)}. \`svc phone time\` lists them.`,
    );
  const decision = options.agree === undefined ? 'contest' : 'agree';
  return expectOk(
    acting(decideCorrection(phone, enrollment.id, found, decision), enrollment),
    options,
    explaining(own),
  );
}

const pin: Action = async (run, _, options) => {
  const own = ownPhone(run, options);
  const typed = String(
    options.pin ?? (run.json ? '' : await run.ask?.('New PIN of six digits: ')) ?? '',
  ).trim();
  if (!/^[0-9]{6}$/.test(typed))
    throw new UsageError('A PIN has six digits. Pass it with --pin. Nothing was sent.');
  const setting = acting(setAttendancePin(own.phone, own.enrollment.id, typed), own.enrollment);
  const set = await expectOk(setting, options, explaining(own));
  run.show({ pin: set }, `The PIN is set, as of ${set.setAt}. Nobody can read it.`);
};

const member: Action = async (run, [text = ''], options) => {
  const own = ownPhone(run, options);
  const code = readMemberLink(text);
  if (code === undefined)
    throw new UsageError(
      'This is no code of a member. The dashboard shows it under My log-in, as svc://member?t=… or an address.',
    );
  const linking = acting(linkMember(own.phone, own.enrollment.id, code), own.enrollment);
  const linked = await expectOk(linking, options, explaining(own));
  run.show({ member: linked }, `The log-in ${plain(code.email)} is this person’s now (member ${linked.id}).`);
};
