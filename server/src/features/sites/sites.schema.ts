import Type from 'typebox';
import { ids } from '../../model/example-fixtures.js';
import { type Columns, createFields, optional, replyFields, updateFields } from '../../records/columns.js';
import {
  Environment,
  flag,
  pageOf,
  paging,
  strictObject,
  Text,
  Timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';
import { ATTENDANCE_FROM } from '../users/users.js';

const PayrollCode = (example: string) =>
  Type.String({
    maxLength: 32,
    pattern: '^[A-Za-z0-9._ -]{1,32}$',
    description: '1 to 32 letters, digits, spaces, dots, underscores and hyphens',
    examples: [example],
  });

/** What the payroll file calls working time, and how it is written. */
const Payroll = strictObject({
  workType: PayrollCode('100'),
  separator: Type.Optional(withExample(';', Type.Enum([',', ';', 'tab']))),
  decimal: Type.Optional(withExample(',', Type.Enum(['.', ',']))),
  encoding: Type.Optional(withExample('utf-8', Type.Enum(['utf-8', 'utf-8-bom', 'windows-1252']))),
  hours: Type.Optional(withExample('decimal', Type.Enum(['decimal', 'clock', 'minutes']))),
});

export const siteColumns = {
  id: { column: 'id', schema: uuid(ids.site), type: 'uuid' },
  environment: { column: 'environment', schema: Environment },
  name: {
    column: 'name',
    schema: withExample('Werk Nord', Text(100)),
    create: 'required',
    update: true,
  },
  country: {
    column: 'country',
    schema: Type.String({
      maxLength: 2,
      pattern: '^[A-Z]{2}$',
      description:
        'ISO 3166-1 alpha-2, in capitals. The rules of `DE` and `ES` flag what people should look at.',
      examples: ['DE'],
    }),
    create: 'required',
    update: true,
  },
  timeZone: {
    column: 'time_zone',
    schema: withExample(
      'Europe/Berlin',
      Text(64, 'a zone of the IANA database. Months that were closed keep the zone that they had.'),
    ),
    create: 'required',
    update: true,
  },
  retentionMonths: {
    column: 'retention_months',
    schema: Type.Integer({
      minimum: 1,
      maximum: 240,
      description: 'Default: 48. Whole months for which hours are kept, whatever else is deleted or erased.',
      examples: [48],
    }),
    create: 'optional',
    update: true,
  },
  attendanceFrom: {
    column: 'attendance_from',
    schema: Type.Enum([...ATTENDANCE_FROM], {
      description:
        'Default: desk. Where people may clock in with their phones. `attendanceFrom` of a person comes first.',
      examples: ['desk'],
    }),
    create: 'optional',
    update: true,
  },
  breaks: {
    column: 'breaks',
    schema: flag(true, 'Default: true. Whether phones offer to begin and end a break.'),
    create: 'optional',
    update: true,
  },
  payroll: { column: 'payroll', schema: Payroll, type: 'json', ...optional },
  createdAt: { column: 'created_at', schema: Timestamp, type: 'timestamptz' },
  updatedAt: { column: 'updated_at', schema: Timestamp, type: 'timestamptz' },
} as const satisfies Columns;

const Site = strictObject(replyFields(siteColumns), 'Site');
export const CreateSiteBody = strictObject(createFields(siteColumns), 'SiteCreateParams');
export const PatchSiteBody = Type.Object(updateFields(siteColumns), {
  additionalProperties: false,
  title: 'SiteUpdateParams',
  minProperties: 1,
});
export const ListSitesQuery = strictObject(paging);
export const SiteReply = strictObject({ site: Site });
/** Keys that read attendance are only listed by the response that turns working time on. */
export const CreatedSiteReply = strictObject({
  site: Site,
  keys: Type.Array(
    strictObject({ id: uuid(ids.apiKey), name: Type.String({ examples: ['Canteen'] }) }, 'AttendanceKey'),
    {
      description:
        'With the first site of an environment, the keys with `attendance:read`, which still read everybody’s attendance. Otherwise empty.',
    },
  ),
});
export const SiteListReply = pageOf('sites', Site);
