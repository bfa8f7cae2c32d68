import Type from 'typebox';
import { hash, ids } from '../../model/example-fixtures.js';
import {
  count,
  Environment,
  exampleText,
  flag,
  NextCursor,
  Nullable,
  paging,
  strictObject,
  Text,
  Timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';

export const Month = Type.String({
  pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$',
  description: 'YYYY-MM',
  examples: ['2026-05'],
});
const Day = (example: string) => exampleText(example, 'YYYY-MM-DD, in the time zone of the site.');
const Local = (example: string) =>
  exampleText(example, 'Local time with its difference to UTC, without seconds.');

const minutes = {
  minutes: { ...count(480), description: 'By the person’s own events alone: proved, declared and agreed.' },
  minutesWithAsserted: { ...count(480), description: 'With what keys and members wrote. Never less.' },
  breakMinutes: { ...count(30), description: 'Breaks that have an end. None is deducted that nobody took.' },
};
const Flag = strictObject(
  {
    code: exampleText('open_shift', 'What somebody should look at. It changes no minutes.'),
    date: Day('2026-05-12'),
    eventIds: Type.Array(uuid(ids.attendance)),
  },
  'SheetFlag',
);
const span = {
  from: Local('2026-05-12T08:00+02:00'),
  to: Nullable(Local('2026-05-12T16:30+02:00')),
  fromId: uuid(ids.attendance),
  toId: withExample(null, Nullable(uuid(ids.attendance))),
};
const Break = strictObject({ ...span, minutes: count(30) }, 'SheetBreak');
const Shift = strictObject(
  {
    ...span,
    ...minutes,
    date: { ...Day('2026-05-12'), description: 'The day of its check-in.' },
    asserted: flag(false, 'All its events are asserted: they are never paired with the person’s own.'),
    breaks: Type.Array(Break),
    flags: Type.Array(Flag),
  },
  'SheetShift',
);
const SheetDay = strictObject({ ...minutes, date: Day('2026-05-12'), flags: Type.Array(Flag) }, 'SheetDay');
const Totals = strictObject(
  {
    ...minutes,
    difference: { ...count(0), description: '`minutesWithAsserted` less `minutes`.' },
    days: { ...count(21), description: 'Days with work.' },
  },
  'SheetTotals',
);
const Sheet = strictObject(
  {
    version: { ...count(1), description: 'Of the rules.' },
    zone: exampleText('Europe/Berlin'),
    month: Month,
    shifts: Type.Array(Shift, { description: 'Those that began in the month, in full.' }),
    days: Type.Array(SheetDay, { description: 'Shifts are split at midnight.' }),
    totals: Totals,
    flags: Type.Array(Flag),
  },
  'Sheet',
);
const shownMark = {
  id: uuid(ids.mark),
  date: Day('2026-05-15'),
  code: exampleText('holiday'),
  source: exampleText('HR'),
};
export const PersonSheet = strictObject(
  {
    userId: uuid(ids.user),
    name: exampleText('Ada Lovelace'),
    employeeCode: Nullable(exampleText('1815')),
    sheet: Sheet,
    marks: Type.Array(strictObject(shownMark, 'SheetMark'), { description: 'Shown, never counted.' }),
    counts: strictObject(
      {
        ...{ proved: count(42), declared: count(0), agreed: count(0), asserted: count(0) },
        contested: { ...count(0), description: 'Events that the person says are wrong.' },
      },
      'SheetCounts',
    ),
    contestedIds: Type.Array(uuid(ids.attendance), {
      description: 'Events that the person says are wrong. They count as they are.',
    }),
  },
  'PersonSheet',
);

const FORMATS = ['json', 'csv', 'xlsx', 'payroll', 'svc-hours'] as const;
export const SheetsQuery = strictObject({
  siteId: uuid(ids.site),
  month: Month,
  userId: Type.Optional(uuid(ids.user)),
  format: Type.Optional(
    Type.Enum([...FORMATS], {
      description:
        'Default: json. `csv`, `xlsx` and `payroll` are files of the whole site, and need the right `hours`. `svc-hours` is the file by which anybody checks the hours, of a site or of one person. It needs the scopes `identity:read` and `audit:read` too.',
      examples: ['json'],
    }),
  ),
  separator: Type.Optional(withExample(';', Type.Enum([',', ';', 'tab']))),
  decimal: Type.Optional(withExample(',', Type.Enum(['.', ',']))),
  encoding: Type.Optional(withExample('utf-8', Type.Enum(['utf-8', 'utf-8-bom', 'windows-1252']))),
  hours: Type.Optional(withExample('decimal', Type.Enum(['decimal', 'clock', 'minutes']))),
  from: Type.Optional(
    Type.String({
      pattern: '^(0|[1-9][0-9]{0,14})$',
      description:
        'With `svc-hours`: the size of a signed tree that you kept. The file then proves that its own tree extends it.',
      examples: ['40'],
    }),
  ),
  ...paging,
});
export const SheetsReply = strictObject(
  {
    site: strictObject(
      {
        id: uuid(ids.site),
        name: exampleText('Werk Nord'),
        country: exampleText('DE'),
        timeZone: exampleText('Europe/Berlin'),
      },
      'SheetSite',
    ),
    month: Month,
    rules: withExample('DE', Type.Enum(['none', 'DE', 'ES'])),
    version: count(1),
    sheets: Type.Array(PersonSheet),
    environment: Environment,
    nextCursor: NextCursor,
  },
  'SheetPage',
);

export const CloseBody = strictObject(
  {
    siteId: uuid(ids.site),
    openFlags: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'How many open flags you have seen. Default: 0.',
        examples: [2],
      }),
    ),
  },
  'MonthCloseParams',
);
const Closing = strictObject(
  {
    siteId: uuid(ids.site),
    month: Month,
    version: { ...count(1), description: 'From 1. Closing again makes the next one.' },
    root: exampleText(hash, 'Over salted hashes of the sheets, without names (RFC 9162, 2.1).'),
    sheets: count(3),
    timeZone: exampleText('Europe/Berlin'),
    rules: withExample('DE', Type.Enum(['none', 'DE', 'ES'])),
    rulesVersion: count(1),
    lastSeq: { ...count(118), description: 'The last audit entry before the sheets were computed.' },
    closedBy: Nullable({ ...uuid(ids.member), description: 'Null: an API key.' }),
    closedAt: Timestamp,
    changed: Type.Array(uuid(ids.user), {
      description: 'People whose sheets differ from the version before.',
    }),
  },
  'MonthClosing',
);
export const CloseReply = strictObject({ closing: Closing, environment: Environment });
export const MonthQuery = strictObject({ siteId: uuid(ids.site) });
export const MonthReply = strictObject(
  {
    month: Month,
    siteId: uuid(ids.site),
    flags: Type.Array(
      strictObject(
        {
          userId: uuid(ids.user),
          name: exampleText('Ada Lovelace'),
          date: Day('2026-05-12'),
          code: exampleText('open_shift'),
        },
        'OpenFlag',
      ),
    ),
    closings: Type.Array(Closing, { description: 'Newest first.' }),
  },
  'MonthState',
);

export const MarkBody = strictObject(
  {
    userId: uuid(ids.user),
    date: Type.String({
      pattern: '^20[0-9]{2}-[01][0-9]-[0-3][0-9]$',
      description: 'YYYY-MM-DD',
      examples: ['2026-05-15'],
    }),
    code: Type.String({
      maxLength: 32,
      pattern: '^[A-Za-z0-9._-]{1,32}$',
      description: '1 to 32 letters, digits, dots, underscores and hyphens',
      examples: ['holiday'],
    }),
    source: withExample('HR', Text(100)),
  },
  'AttendanceMarkParams',
);
const Mark = strictObject({ ...shownMark, userId: uuid(ids.user), createdAt: Timestamp }, 'AttendanceMark');
export const MarkReply = strictObject({ mark: Mark });

export const HereReply = strictObject(
  {
    site: strictObject({ id: uuid(ids.site), name: exampleText('Werk Nord') }, 'HereSite'),
    at: { ...Timestamp, description: 'When this was read.' },
    here: Type.Array(
      strictObject(
        {
          userId: uuid(ids.user),
          name: exampleText('Ada Lovelace'),
          since: { ...Timestamp, description: 'Of the check-in.' },
          deviceName: Nullable(exampleText('Main gate')),
          isOnBreak: flag(false, 'Breaks are on site.'),
          isStale: flag(false, 'They came more than 16 hours ago.'),
        },
        'PersonHere',
      ),
      {
        description:
          'Whose last event in 36 hours is no check-out, and was made by a desk. Who clocks in remotely is not here.',
      },
    ),
    absent: Type.Array(
      strictObject({ userId: uuid(ids.user), name: exampleText('Grace Hopper') }, 'PersonAbsent'),
      {
        description: 'Who has a mark for this day, whatever it says.',
      },
    ),
  },
  'SitePresence',
);
