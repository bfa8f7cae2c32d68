import Type from 'typebox';
import { overrideExample } from '../../http/openapi/example.js';
import { did, ids, secrets, times } from '../../model/example-fixtures.js';
import {
  Environment,
  exampleText,
  flag,
  forConsole,
  Nullable,
  pageOf,
  paging,
  strictObject,
  Timestamp,
  timestamp,
  Uuid,
  uuid,
  withExample,
} from '../../records/schema.js';
import { User } from '../users/users.js';

const tokenFields = {
  accessToken: exampleText(secrets.accessToken),
  refreshToken: exampleText(secrets.refreshToken),
  tokenType: Type.Enum(['Bearer']),
  expiresIn: Type.Integer({ examples: [3600] }),
  sessionId: Uuid,
};
/** Present only in sessions that do not prove a person's identity. */
export const caveats = {
  assurance: Type.Optional(
    Type.Enum(['unbound'], {
      description: 'Present if the proof was not bound and identifies nobody.',
    }),
  ),
  simulated: Type.Optional(Type.Literal(true, { description: 'Present if the sign-on was simulated.' })),
};

export const TokensReply = strictObject({ ...tokenFields, did: exampleText(did) }, 'SessionTokens');

/** The tokens of any session. One from sign-on or from an unbound proof has no DID. */
const AnyTokensReply = strictObject(
  {
    ...tokenFields,
    did: withExample(null, Nullable(Type.String())),
    ...caveats,
  },
  'AnySessionTokens',
);
/** The tokens of a session from sign-on. */
export const SignOnReply = overrideExample(AnyTokensReply, { assurance: undefined });

/** The example is a session from a proof, the usual case. */
export const RefreshReply = overrideExample(AnyTokensReply, {
  did,
  assurance: undefined,
  simulated: undefined,
});

export const RefreshBody = strictObject(
  {
    refreshToken: withExample(secrets.refreshToken, Type.String({ minLength: 1, maxLength: 512 })),
  },
  'SessionRefreshParams',
);
const Me = strictObject({
  user: User,
  did: Nullable(exampleText(did, 'Null in a session from sign-on.')),
  sessionId: Uuid,
  environment: Environment,
  simulated: caveats.simulated,
});
export const MeReply = overrideExample(Me, { simulated: undefined });
export const ConsoleSessionsQuery = forConsole(strictObject({ userId: uuid(ids.user), ...paging }));
export const ConsoleSessionList = pageOf(
  'sessions',
  strictObject(
    {
      id: Uuid,
      did: Nullable(exampleText(did, 'Null in a session from sign-on.')),
      createdAt: Timestamp,
      expiresAt: timestamp(times.in5Minutes),
      fromPairing: flag(true, 'Whether a phone opened it by pairing.'),
      simulated: flag(false, 'Whether the sign-on was simulated.'),
    },
    'ConsoleSession',
  ),
);
export const LogoutReply = strictObject({ loggedOut: flag(true) });
export const EndedSessionReply = strictObject({
  session: strictObject({ id: uuid(ids.session), endedAt: timestamp(times.done) }, 'EndedSession'),
});
