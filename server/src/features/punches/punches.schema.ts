import Type from 'typebox';
import { ids, secrets, times } from '../../model/example-fixtures.js';
import {
  CodeUrl,
  Environment,
  exampleText,
  flag,
  Nullable,
  strictObject,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';
import { Activity, Attendance, EventType, Mode, Reason } from '../attendance/attendance.js';
import { AuditEvent, SignedHead, SignedTree, TreeKey, TreeProof } from '../audit/audit.js';
import { Correction } from '../corrections/corrections.js';
import { Did, singleUseProof } from '../proofs/proofs.js';
import { Salts } from '../seals/seals.js';

const value = `svc://attend?c=${'AZ23SGJceF2Dm8V9c9VJk1ktMeHASD1BwHAI9SUjnj4C'}.119004766.Zk3v9Qm1bT0xY7Lw`;
const Code = strictObject(
  {
    id: uuid(ids.device),
    value: exampleText(value, 'What the QR code has, if the service has no https.'),
    url: CodeUrl(value),
    refreshesAt: { ...timestamp(times.begun), description: 'When to show the next one.' },
    expiresAt: { ...timestamp(times.in5Minutes), description: 'Until when this one counts.' },
    streamUrl: exampleText(
      `https://id.example.com/v1/attendance/codes/${ids.device}/stream`,
      'New codes, and each punch by one of them.',
    ),
  },
  'AttendanceCode',
);
export const CodeReply = strictObject({ code: Code });

const account = { tenantId: uuid(ids.tenant), environment: Environment };

export const ContextQuery = strictObject({
  code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The code that was scanned. Without one, the phone’s own place.',
      examples: [value],
    }),
  ),
  tenantId: Type.Optional({ ...account.tenantId, description: 'Only without `code`.' }),
  environment: Type.Optional({ ...account.environment, description: 'Only without `code`.' }),
});

const Place = strictObject(
  {
    deviceId: uuid(ids.device),
    name: exampleText(
      'Main gate',
      'As a phone may show it; the id of the device if its name cannot be shown.',
    ),
  },
  'AttendancePlace',
);
export const ContextReply = strictObject({
  context: strictObject(
    {
      issuer: exampleText('https://id.example.com'),
      tenant: uuid(ids.tenant),
      environment: Environment,
      company: exampleText('Example AG', 'As a phone may show it.'),
      mode: Mode,
      place: Nullable(Place),
      siteId: Nullable(uuid(ids.site)),
      timeZone: Nullable(exampleText('Europe/Berlin')),
      breaks: flag(true, 'Whether to offer to begin and end a break.'),
      scannedAt: {
        ...Timestamp,
        description: 'The time of the punch, by the clock of the service.',
      },
      submitUntil: timestamp('2026-05-12T09:32:00.000Z'),
      ticket: exampleText(secrets.inboxToken, 'Send it back unchanged.'),
    },
    'AttendanceContext',
  ),
});

const Contract = Type.String({
  maxLength: 32,
  pattern: '^[A-Za-z0-9._-]{1,32}$',
  description: '1 to 32 letters, digits, dots, underscores and hyphens',
  examples: ['contract-2'],
});
const { timestamp: _, ...singleUse } = singleUseProof;
export const PunchBody = strictObject(
  {
    ...account,
    did: Did,
    ...singleUse,
    ticket: Type.String({ minLength: 1, maxLength: 2_000, examples: [secrets.inboxToken] }),
    type: EventType,
    reason: Type.Optional(Reason),
    activity: Type.Optional(Nullable(Activity)),
    contract: Type.Optional(Nullable(Contract)),
  },
  'PunchParams',
);

const Receipt = strictObject(
  {
    n: Type.Integer({ minimum: 1, description: 'The number of the list of fields.', examples: [2] }),
    salts: Salts,
    entry: AuditEvent,
    /** Of the audit chain at this entry. */
    head: SignedHead,
  },
  'AttendanceReceipt',
);
export const PunchReply = strictObject({ attendance: Attendance, receipt: Receipt });

const Month = Type.String({
  pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$',
  description: 'YYYY-MM',
  examples: ['2026-05'],
});
const Size = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The size of a tree that the phone kept. The reply then has `consistency`.',
  examples: [7],
});
export const ListOwnBody = strictObject(
  { ...account, did: Did, ...singleUseProof, month: Month, from: Type.Optional(Size) },
  'PhoneAttendanceListParams',
);
const Own = strictObject(
  {
    attendance: Attendance,
    n: withExample(2, Nullable(Type.Integer({ minimum: 1 }))),
    salts: Nullable(Salts),
    entry: Nullable(AuditEvent),
    inclusion: withExample(null as unknown as string[], Nullable(TreeProof)),
  },
  'OwnAttendance',
);
const Reading = strictObject(
  {
    at: Timestamp,
    by: Type.Enum(['api_key', 'member', 'inspector'], {
      description: '`inspector`: somebody with the link and the code of an inspection.',
      examples: ['member'],
    }),
    name: Nullable(exampleText('Grace Hopper', 'Of the member, if they still are one.')),
    month: Month,
    isOfSite: flag(false, 'They opened the sheets of the whole site.'),
  },
  'SheetReading',
);
export const ListOwnReply = strictObject({
  month: Month,
  timeZone: exampleText('Europe/Berlin'),
  attendance: Type.Array(Own, { description: 'Oldest first, also what others made for the person.' }),
  readings: Type.Array(Reading, {
    description: 'Who looked at the person’s sheet, newest first, at most 50.',
  }),
  corrections: Type.Array(Correction, {
    description: 'Those about the person that wait for one of the two sides.',
  }),
  pin: Nullable(
    strictObject(
      {
        setBy: withExample('phone', Type.Enum(['phone', 'desk', 'pin', 'reset'])),
        setAt: Timestamp,
        mustChange: flag(false, 'It was printed at a desk, and has to be changed at its first use.'),
      },
      'OwnPin',
    ),
  ),
  tree: Nullable(SignedTree),
  publicKey: TreeKey,
  consistency: Type.Optional(strictObject({ from: Size, proof: TreeProof }, 'AttendanceConsistency')),
});

export const ContestBody = strictObject(
  { ...account, did: Did, ...singleUseProof },
  'AttendanceContestParams',
);
export const ContestReply = strictObject({ attendance: Attendance });
