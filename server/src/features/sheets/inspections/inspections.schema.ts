import Type from 'typebox';
import { ids, secrets, times } from '../../../model/example-fixtures.js';
import {
  count,
  exampleText,
  Nullable,
  pageOf,
  paging,
  strictObject,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../../records/schema.js';
import { Month, SheetsQuery } from '../sheets.schema.js';

export const MAX_MONTHS = 48;
const MAX_HOURS = 720;
export const DEFAULT_HOURS = 72;

const period = { from: Month, to: { ...Month, description: 'YYYY-MM, included' } };

export const CreateBody = strictObject(
  {
    siteId: uuid(ids.site),
    ...period,
    hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_HOURS,
        description: `Default: ${DEFAULT_HOURS}. How long the link works.`,
        examples: [DEFAULT_HOURS],
      }),
    ),
  },
  'InspectionCreateParams',
);
const Inspection = strictObject(
  {
    id: uuid(ids.inspection),
    siteId: uuid(ids.site),
    ...period,
    expiresAt: { ...timestamp(times.in30Minutes), description: 'When it ends. Twenty wrong codes end it.' },
    openedAt: Nullable({ ...Timestamp, description: 'When it was first opened.' }),
    looks: { ...count(2), description: 'How often sheets were opened or fetched.' },
    createdBy: Nullable({ ...uuid(ids.member), description: 'Null: an API key.' }),
    createdAt: Timestamp,
    revokedAt: withExample(null, Nullable(Timestamp)),
  },
  'Inspection',
);
const Code = Type.String({ pattern: '^[0-9]{6}$', description: 'six digits', examples: ['482915'] });

export const CreateReply = strictObject({
  inspection: Inspection,
  url: exampleText(
    `https://svc.example.com/inspection#${secrets.inspectionLink}`,
    'The link, with its secret behind the #. Shown once.',
  ),
  code: { ...Code, description: 'Six digits, which are given apart from the link. Shown once.' },
});
export const ListQuery = strictObject({ siteId: Type.Optional(uuid(ids.site)), ...paging });
export const ListReply = pageOf('inspections', Inspection);
export const InspectionReply = strictObject({ inspection: Inspection });

export const OpenBody = strictObject(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'What is behind the # of the link.',
      examples: [secrets.inspectionLink],
    }),
    code: Code,
  },
  'InspectionOpenParams',
);

/** What somebody with the link and the code sees first. */
const Opened = strictObject(
  {
    company: exampleText('Example AG'),
    site: strictObject(
      {
        name: exampleText('Werk Nord'),
        country: exampleText('DE'),
        timeZone: exampleText('Europe/Berlin'),
      },
      'InspectedSite',
    ),
    ...period,
    expiresAt: timestamp(times.in30Minutes),
  },
  'OpenedInspection',
);
export const OpenReply = strictObject({
  inspection: Opened,
  session: strictObject(
    {
      token: exampleText(secrets.inspectionToken, 'Send it as `X-Inspection-Token`.'),
      expiresAt: {
        ...timestamp(times.in30Minutes),
        description: 'After eight hours, or with the inspection.',
      },
    },
    'InspectionSession',
  ),
});
export const CurrentReply = strictObject({ inspection: Opened });

const { month, from, separator, decimal, encoding, hours } = SheetsQuery.properties;
export const InspectedQuery = strictObject({
  month,
  format: Type.Optional(
    Type.Enum(['json', 'csv', 'xlsx', 'svc-hours'], {
      description:
        'Default: json. The others are files of the whole site, and `svc-hours` is the one by which anybody checks the hours.',
      examples: ['json'],
    }),
  ),
  ...{ separator, decimal, encoding, hours, from, ...paging },
});
