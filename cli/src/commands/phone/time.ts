import { isSvcError } from '@svc/sdk';
import {
  type AttendanceContext,
  canSendAgain,
  contestAttendance,
  monthOf,
  type Punch,
  type PunchReceipt,
  preparePunch,
  punch,
  readAttendanceCode,
  readContext,
  readMonth,
} from '@svc/sdk/time';
import type { Action, Commands, Options, Run } from '../../command.js';
import { EXIT, UsageError } from '../../failure.js';
import { explainRejection } from '../../phone/explain.js';
import { acting, type OwnPhone, ownPhone } from '../../phone/places.js';
import { actOf, describeMonth } from '../../phone/working-time.js';
import { plain } from '../../terminal.js';
import { expectOk, withPlace } from './options.js';

/** The working time of the phone's person. No command needs an API key: the phone proves who it is. */
export function phoneTimeCommands(phone: Commands): void {
  withPlace(phone.command('punch', 'clock in or out, with a receipt that is computed again', clock))
    .option('--code <code>', 'what the desk shows: svc://attend?c=… or its address')
    .option('--remote', 'at the phone’s own place, without a desk')
    .option('--out', 'go instead of coming')
    .option('--break', 'end a break, or begin one with --out')
    .option('--activity <code>', 'what the work is for');
  withPlace(phone.command('time', 'list a month of this person, with what was checked', time))
    .option('--month <YYYY-MM>', 'the month (default: this one)')
    .option('--contest <id>', 'say that this row is wrong');
}

/** A clock that differs by more is worth a line. */
const CLOCK_DIFFERS_MS = 30_000;

const clock: Action = async (run, _, options) => {
  const code = codeIn(options);
  const own = ownPhone(run, options);
  await settle(run, own, options);
  const context = await expectOk(
    acting(readContext(own.phone, own.enrollment.id, code), own.enrollment),
    options,
  );
  describePlace(run, context);
  const prepared = preparePunch(context, {
    type: options.out ? 'check_out' : 'check_in',
    ...(options.break && { reason: 'break' as const }),
    ...(options.activity !== undefined && { activity: String(options.activity) }),
  });
  const receipt = await send(own, prepared, options);
  run.show(receipt, describeReceipt(receipt));
};

function codeIn({ code, remote }: Options): string | undefined {
  if ((code === undefined) === (remote === undefined))
    throw new UsageError('Pass --code with what the desk shows, or --remote for the phone’s own place.');
  if (code === undefined) return undefined;
  const scanned = readAttendanceCode(String(code));
  if (scanned === undefined)
    throw new UsageError('This is no code to clock in with. It begins with svc://attend, or is an address.');
  return scanned.code;
}

/** Sends the punch whose answer was lost once more, so that it has a receipt. */
async function settle(run: Run, own: OwnPhone, options: Options): Promise<void> {
  const { unanswered } = own.file.timeAt(own.enrollment);
  if (unanswered === undefined || !canSendAgain(unanswered, own.svc.serverNow())) return;
  try {
    const receipt = await send(own, unanswered, options);
    if (!run.json) run.err.write(`The answer before was lost. ${describeReceipt(receipt)}\n`);
  } catch (error) {
    if (own.file.timeAt(own.enrollment).unanswered !== undefined) throw error;
  }
}

/** Keeps the punch until there is an answer, and then its receipt. */
async function send(own: OwnPhone, prepared: Punch, options: Options): Promise<PunchReceipt> {
  const { file, enrollment, phone, svc } = own;
  file.changeTime(enrollment, () => ({ unanswered: prepared }));
  const sent = acting(punch(phone, enrollment.id, prepared), enrollment).catch((error: unknown) => {
    // The service has answered that nothing was recorded.
    if (isSvcError(error) && error.status !== undefined && error.status < 500)
      file.changeTime(enrollment, () => ({ unanswered: undefined }));
    throw error;
  });
  const receipt = await expectOk(sent, options, (error) => explainRejection(svc, error));
  file.changeTime(enrollment, ({ receipts }) => ({
    unanswered: undefined,
    receipts: [...receipts.filter(({ attendance }) => attendance.id !== receipt.attendance.id), receipt],
  }));
  return receipt;
}

function describePlace(run: Run, { company, place, scannedAt }: AttendanceContext): void {
  if (run.json) return;
  run.err.write(`${plain(company)}, ${place ? plain(place.name) : 'at your own place'}, ${scannedAt}\n`);
  const ahead = Date.now() - Date.parse(scannedAt);
  if (Math.abs(ahead) > CLOCK_DIFFERS_MS)
    run.err.write(
      `This machine’s clock is ${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'} the service’s. The time of the service counts.\n`,
    );
}

function describeReceipt({ attendance, receipt, signature }: PunchReceipt): string {
  const { occurredAt, id } = attendance;
  const checked =
    signature === 'valid'
      ? 'Checked: the row, its seal, the entry and the signed head.'
      : 'Checked: the row, its seal and the entry. Not checked: the signature of the head, which this platform does not support.';
  return `${actOf(attendance)} at ${occurredAt} (${id}, entry ${receipt.entry.seq}).\n${checked}`;
}

const time: Action = async (run, _, options) => {
  const own = ownPhone(run, options);
  const { file, enrollment, phone, svc } = own;
  const explain = (error: Parameters<typeof explainRejection>[1]) => explainRejection(svc, error);
  if (options.contest !== undefined) {
    const contesting = contestAttendance(phone, enrollment.id, String(options.contest));
    const attendance = await expectOk(acting(contesting, enrollment), options, explain);
    const { contestedAt } = attendance;
    run.show(
      { attendance },
      `You said at ${contestedAt} that row ${attendance.id} is wrong. It stays, and shows that.`,
    );
    return EXIT.done;
  }
  const month = String(options.month ?? monthOf(svc.serverNow(), 'UTC'));
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(month)) throw new UsageError('A month is YYYY-MM, such as 2026-05.');
  const kept = file.timeAt(enrollment);
  const reading = readMonth(phone, enrollment.id, month, kept);
  const read = await expectOk(acting(reading, enrollment), options, explain);
  if (read.tree) file.changeTime(enrollment, () => ({ tree: read.tree }));
  run.show(read, describeMonth(read));
  const isWrong =
    read.missing.length + read.unreadable > 0 || read.rows.some(({ check }) => check === 'wrong');
  return isWrong ? EXIT.refused : EXIT.done;
};
