import Type from 'typebox';
import { ids } from '../../../model/example-fixtures.js';
import {
  exampleText,
  flag,
  Nullable,
  strictObject,
  Timestamp,
  uuid,
  withExample,
} from '../../../records/schema.js';
import { ReturnCode } from '../../pairing/pairing.js';

export const SessionBody = Type.Object(
  { sameDevice: Type.Optional(flag(false)) },
  { additionalProperties: false, title: 'SignInSessionCreateParams' },
);
export const CompleteBody = Type.Object(
  {
    sessionId: uuid(ids.pairing),
    returnCode: Type.Optional(ReturnCode),
  },
  { additionalProperties: false, title: 'SignInCompleteParams' },
);
export const ConsentBody = Type.Object({}, { additionalProperties: false, title: 'SignInConsentParams' });
export const CancelBody = Type.Object({}, { additionalProperties: false, title: 'SignInCancelParams' });
export const StreamQuery = strictObject({ session: uuid(ids.pairing) });

export const DetailsReply = strictObject({
  signIn: strictObject(
    {
      client: strictObject({ name: exampleText('Time tracking') }),
      company: exampleText('Northwind Traders'),
      accentColor: exampleText('#0f766e'),
      logoUrl: Nullable(exampleText('/profiles/logo')),
      host: Nullable(exampleText('time.example.com')),
      environment: Type.Enum(['live', 'test']),
      expiresAt: Timestamp,
      sameDeviceOnly: flag(false),
      consent: Nullable(
        strictObject(
          { claims: Type.Array(exampleText('name')), staysSignedIn: flag(false) },
          'SignInConsent',
        ),
      ),
    },
    'SignIn',
  ),
});
export const SessionReply = strictObject({
  session: strictObject(
    {
      id: uuid(ids.pairing),
      qrPayload: exampleText('za:pair:2:…'),
      matchCode: Nullable(withExample('42', Type.String({ pattern: '^[0-9]{2}$' }))),
      expiresAt: Timestamp,
    },
    'SignInSession',
  ),
});
export const RedirectReply = strictObject({
  redirectTo: exampleText('https://id.example.com/oidc/…/auth/…'),
});
