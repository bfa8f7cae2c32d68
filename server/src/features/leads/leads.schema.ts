import Type from 'typebox';
import { ids } from '../../model/example-fixtures.js';
import {
  exampleText,
  NextCursor,
  Nullable,
  paging,
  strictObject,
  Text,
  Timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';

const Email = Type.String({ minLength: 3, maxLength: 320, examples: ['ada@example.com'] });
const LeadType = Type.Enum(['pilot', 'whitepaper']);
/** The number of people: forms send a range such as `50-200`, programs a number. */
const Size = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  minLength: 1,
  maxLength: 64,
  pattern: '\\S',
  minimum: 0,
  maximum: 1_000_000_000,
  description: 'a non-empty string, or a count',
  examples: ['50-200'],
});

export const PilotBody = strictObject(
  {
    name: withExample('Ada Lovelace', Text(200)),
    company: withExample('Example AG', Text(200)),
    email: Email,
    size: Size,
  },
  'PilotRequestParams',
);
export const WhitepaperBody = strictObject({ email: Email }, 'WhitepaperRequestParams');

const created = { lead: strictObject({ id: uuid(ids.lead), createdAt: Timestamp }, 'CreatedLead') };
export const PilotReply = strictObject(created);
export const WhitepaperReply = strictObject({
  ...created,
  downloadUrl: Type.String({ description: 'Root-relative.', examples: ['/downloads/whitepaper.pdf'] }),
});

const Lead = strictObject(
  {
    id: uuid(ids.lead),
    type: LeadType,
    email: exampleText('ada@example.com'),
    name: Nullable(exampleText('Ada Lovelace')),
    company: Nullable(exampleText('Example AG')),
    size: Nullable(exampleText('50-200')),
    createdAt: Timestamp,
  },
  'Lead',
);
export const ListLeadsQuery = strictObject({ type: Type.Optional(LeadType), ...paging });
export const LeadListReply = strictObject({ leads: Type.Array(Lead), nextCursor: NextCursor }, 'LeadPage');
