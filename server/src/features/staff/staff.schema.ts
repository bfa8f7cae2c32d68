import Type from 'typebox';
import { did, ids, secrets } from '../../model/example-fixtures.js';
import { ROLES } from '../../model/roles.js';
import {
  count,
  exampleText,
  FreeForm,
  flag,
  Nullable,
  strictObject,
  Text,
  Timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';
import { AuthenticationCredential, Email, Password } from '../accounts/accounts.js';
import { Did } from '../proofs/proofs.js';
import { NameSource } from '../users/users.js';

/** A passkey, or e-mail and password. */
export const StartBody = Type.Object(
  {
    credential: Type.Optional(AuthenticationCredential),
    email: Type.Optional(Email),
    password: Type.Optional(Password),
  },
  {
    ...{ additionalProperties: false, minProperties: 1, title: 'StaffSessionParams' },
    examples: [{ email: 'grace@example.com', password: secrets.password }],
  },
);
export const StartReply = strictObject(
  {
    token: exampleText(secrets.staffToken),
    expiresIn: { ...count(600), description: 'Seconds until it ends.' },
    idleSeconds: { ...count(120), description: 'It also ends after so many seconds without a request.' },
    member: strictObject({
      id: uuid(ids.tenant),
      name: Nullable(exampleText('Grace Hopper')),
      role: withExample('reception', Type.Enum([...ROLES])),
    }),
  },
  'StaffSession',
);
export const EndReply = strictObject({ ended: flag(true) });

export const FindQuery = strictObject({
  q: withExample('Lovelace', {
    ...Text(200),
    minLength: 3,
    description: 'One or more whole words of the name, with at least three letters.',
  }),
});
export const FindReply = strictObject({
  people: Type.Array(
    strictObject(
      {
        id: uuid(ids.user),
        fullName: exampleText('Ada Lovelace'),
        nameConfirmed: flag(true, 'Somebody has confirmed the name.'),
        phones: Type.Array(
          strictObject({
            did: exampleText(did),
            createdAt: Timestamp,
          }),
          { description: 'Those that are not locked, newest first.' },
        ),
      },
      'FoundPerson',
    ),
    { description: 'At most ten. With a longer list, ask for more of the name.' },
  ),
});

export const RegisterBody = strictObject(
  {
    how: NameSource,
    /** A known person. `profile` is then absent. */
    userId: Type.Optional(uuid(ids.user)),
    /** A new person: `fullName`, and `email` and `phone` if they have them. */
    profile: Type.Optional(withExample({ fullName: 'Ada Lovelace' }, FreeForm)),
  },
  'StaffRegistrationParams',
);
export const LockBody = strictObject({ did: Did }, 'StaffLockParams');
