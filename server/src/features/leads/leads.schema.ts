import Type from 'typebox';
import { closed, NextCursor, Nullable, paging, Text, Timestamp, Uuid } from '../../kernel/schema.js';

const Email = Type.String({ minLength: 3, maxLength: 320, examples: ['someone@example.com'] });
const LeadType = Type.Enum(['pilot', 'whitepaper']);
/** How many people: forms send a range such as `50-200`, programs a number. */
const Size = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  minLength: 1,
  maxLength: 64,
  pattern: '\\S',
  minimum: 0,
  maximum: 1_000_000_000,
  description: 'text that is not blank, or a count',
});

export const PilotBody = closed({ name: Text(200), company: Text(200), email: Email, size: Size });
export const WhitepaperBody = closed({ email: Email });

const created = { lead: closed({ id: Uuid, createdAt: Timestamp }, 'CreatedLead') };
export const PilotReply = closed(created);
export const WhitepaperReply = closed({
  ...created,
  downloadUrl: Type.String({ description: 'Root-relative.', examples: ['/downloads/whitepaper.pdf'] }),
});

const Lead = closed(
  {
    id: Uuid,
    type: LeadType,
    email: Type.String(),
    name: Nullable(Type.String()),
    company: Nullable(Type.String()),
    size: Nullable(Type.String()),
    createdAt: Timestamp,
  },
  'Lead',
);
export const ListLeadsQuery = closed({ type: Type.Optional(LeadType), ...paging });
export const LeadListReply = closed({ leads: Type.Array(Lead), nextCursor: NextCursor });
