import Type from 'typebox';
import { ids } from '../../model/example-fixtures.js';
import {
  Environment,
  exampleText,
  strictObject,
  Text,
  Timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';
import { Activity, Attendance, EventType, Reason } from '../attendance/attendance.js';
import { Correction } from '../corrections/corrections.js';
import { Did, singleUseProof } from '../proofs/proofs.js';
import { Month, PersonSheetSchema } from '../sheets/sheets.js';

const Pin = Type.String({ pattern: '^[0-9]{6}$', description: 'six digits', examples: ['482915'] });

export interface NumberAndPin {
  readonly number: string;
  readonly pin: string;
}
const known = {
  number: { ...withExample('1815', Text(100)), description: 'The personnel number (`employeeCode`).' },
  pin: Pin,
};

export interface DeclaredAct {
  readonly type: 'check_in' | 'check_out';
  readonly reason?: 'work' | 'break';
  readonly activity?: string | undefined;
}
const act = { type: EventType, reason: Type.Optional(Reason), activity: Type.Optional(Activity) };

export const DeclareBody = strictObject({ ...known, ...act }, 'DeclareParams');
export const DeclareReply = strictObject({ attendance: Attendance });
export const ChangePinBody = strictObject({ ...known, newPin: Pin }, 'PinChangeParams');
export const PinSetReply = strictObject({ pin: strictObject({ setAt: Timestamp }, 'PinSet') });
export const OwnMonthBody = strictObject({ ...known, month: Month }, 'OwnMonthParams');
export const OwnMonthReply = strictObject({
  month: Month,
  timeZone: exampleText('Europe/Berlin'),
  sheet: PersonSheetSchema,
  corrections: Type.Array(Correction, { description: 'Those that wait for the person.' }),
});
export const DecideByPinBody = strictObject(
  { ...known, decision: withExample('agree', Type.Enum(['agree', 'contest'])) },
  'PinCorrectionDecideParams',
);
export const CorrectionReply = strictObject({ correction: Correction });

export const StaffDeclareBody = strictObject({ userId: uuid(ids.user), ...act }, 'StaffDeclareParams');
export const DrawBody = strictObject({ userId: uuid(ids.user) }, 'PinDrawParams');
export const DrawnReply = strictObject({
  pin: { ...Pin, description: 'Shown once. It has to be changed at its first use.' },
});

export const PhonePinBody = strictObject(
  { tenantId: uuid(ids.tenant), environment: Environment, did: Did, ...singleUseProof, pin: Pin },
  'PhonePinParams',
);
