/**
 * A phone's part of working time: it comes and goes by a proof, checks what the service recorded, and answers corrections. Separate from
 * `@svc/sdk/phone`, so that only phones of people who clock in load it.
 *
 * @example
 * const context = await readContext(phone, id, code);
 * const receipt = await punch(phone, id, preparePunch(context, { type: 'check_in' }));
 */

export type { AttendanceContext, Correction, SheetReading } from './generated/api.js';
export { type AttendanceCodeText, readAttendanceCode } from './time/code.js';
export { readContext } from './time/context.js';
export {
  type CorrectionWish,
  checkedCorrection,
  contestAttendance,
  decideCorrection,
  prepareCorrection,
  proposeCorrection,
  takingBack,
} from './time/corrections.js';
export { linkMember, type MemberLinkCode, readMemberLink } from './time/member-link.js';
export {
  type KeptTime,
  type KeptTree,
  monthOf,
  type OwnMonth,
  type OwnRow,
  type RowCheck,
  readMonth,
} from './time/month.js';
export { setAttendancePin } from './time/pin.js';
export { canSendAgain, type Punch, preparePunch, punch } from './time/punch.js';
export { checkReceipt, type PunchReceipt } from './time/receipt.js';
export type { AttendanceStatement, PunchChoice, ShownCorrection } from './time/statements.js';
