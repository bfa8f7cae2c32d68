import Type from 'typebox';
import { ids, secrets } from '../../../model/example-fixtures.js';
import { MAX_PASSWORD_LENGTH } from '../../../model/password.js';
import { ROLES } from '../../../model/roles.js';
import {
  exampleText,
  flag,
  Nullable,
  strictObject,
  Text,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../../records/schema.js';
import { RegistrationCredential } from '../passkeys/passkeys.schema.js';

export const RoleSchema = withExample('developer', Type.Enum([...ROLES]));
const Email = Type.String({ minLength: 3, maxLength: 320, examples: ['grace@example.com'] });
const MemberName = withExample('Grace Hopper', Text(200));
/** 32 bytes. */
const InvitationToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'What follows the `#` of the link.',
  examples: [secrets.invitation],
});

/** What an owner gives one by one, whatever the role. */
export const rights = {
  hours: flag(false, 'Works with hours: sheets, corrections, closing, export.'),
  representative: flag(false, 'Reads sheets for the people they represent.'),
  siteIds: Nullable(
    Type.Array(uuid(ids.site), { maxItems: 100, description: 'The sites of these rights. Null: all.' }),
  ),
};

const Member = strictObject(
  {
    id: uuid(ids.member),
    email: exampleText('grace@example.com'),
    name: Nullable(exampleText('Grace Hopper', 'Null until the member has given one.')),
    role: RoleSchema,
    ...rights,
    status: withExample('active', Type.Enum(['invited', 'active'])),
    createdAt: Timestamp,
    joinedAt: Nullable({ ...Timestamp, description: 'Null while the member is invited.' }),
    invitationExpiresAt: Nullable({ ...Timestamp, description: 'While the member is invited.' }),
  },
  'Member',
);
export const MemberList = strictObject({ members: Type.Array(Member) });
export const INVITATION_MAIL = ['sent', 'off', 'unconfirmed', 'limited'] as const;
export const InviteBody = strictObject({ email: Email, role: RoleSchema }, 'InviteMemberParams');
export const InviteReply = strictObject({
  member: Member,
  invitation: strictObject(
    {
      link: exampleText(
        `https://id.example.com/dashboard/join#${secrets.invitation}`,
        'Only in this response. Works once.',
      ),
      expiresAt: timestamp('2026-05-19T09:30:00.000Z'),
      mail: withExample(
        'sent',
        Type.Enum([...INVITATION_MAIL], {
          description:
            'Whether the link is mailed. `off`: the service sends no mail. `unconfirmed`: who invites has not used a link that was mailed to them. `limited`: the account has sent 20 in an hour.',
        }),
      ),
    },
    'Invitation',
  ),
});
export const MemberReply = strictObject({ member: Member });
export const ChangeMemberBody = Type.Object(
  {
    role: Type.Optional(RoleSchema),
    name: Type.Optional(MemberName),
    hours: Type.Optional(rights.hours),
    representative: Type.Optional(rights.representative),
    siteIds: Type.Optional(rights.siteIds),
  },
  { additionalProperties: false, minProperties: 1, title: 'MemberUpdateParams' },
);
/** With a password or a passkey, not both. */
export const JoinBody = Type.Object(
  {
    token: InvitationToken,
    name: MemberName,
    password: Type.Optional(
      Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, examples: [secrets.password] }),
    ),
    credential: Type.Optional(RegistrationCredential),
  },
  {
    ...{ additionalProperties: false, minProperties: 3, maxProperties: 3, title: 'AcceptInvitationParams' },
    examples: [{ token: secrets.invitation, name: 'Grace Hopper', password: secrets.password }],
  },
);
export const JoinOptionsBody = strictObject({ token: InvitationToken }, 'InvitationOptionsParams');
export const JoinReply = strictObject({ token: exampleText(secrets.consoleToken), member: Member });
