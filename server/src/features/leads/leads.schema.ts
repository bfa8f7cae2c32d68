import Type from 'typebox';
import {
  closed,
  like,
  NextCursor,
  Nullable,
  paging,
  shown,
  Text,
  Timestamp,
  uuid,
} from '../../http/schema.js';
import { ids } from '../../model/story.js';

const Email = Type.String({ minLength: 3, maxLength: 320, examples: ['ada@example.com'] });
const LeadType = Type.Enum(['pilot', 'whitepaper']);
/** How many people: forms send a range such as `50-200`, programs a number. */
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

export const PilotBody = closed(
  {
    name: like('Ada Lovelace', Text(200)),
    company: like('Example AG', Text(200)),
    email: Email,
    size: Size,
  },
  'PilotRequestParams',
);
export const WhitepaperBody = closed({ email: Email }, 'WhitepaperRequestParams');

const created = { lead: closed({ id: uuid(ids.lead), createdAt: Timestamp }, 'CreatedLead') };
export const PilotReply = closed(created);
export const WhitepaperReply = closed({
  ...created,
  downloadUrl: Type.String({ description: 'Root-relative.', examples: ['/downloads/whitepaper.pdf'] }),
});

const Lead = closed(
  {
    id: uuid(ids.lead),
    type: LeadType,
    email: shown('ada@example.com'),
    name: Nullable(shown('Ada Lovelace')),
    company: Nullable(shown('Example AG')),
    size: Nullable(shown('50-200')),
    createdAt: Timestamp,
  },
  'Lead',
);
export const ListLeadsQuery = closed({ type: Type.Optional(LeadType), ...paging });
export const LeadListReply = closed({ leads: Type.Array(Lead), nextCursor: NextCursor }, 'LeadPage');
