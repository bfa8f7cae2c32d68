import Type, { type TSchema } from 'typebox';
import { ids, pairingNonce, secrets, slot, slotMac } from '../../../model/example-fixtures.js';
import {
  CodeUrl,
  exampleText,
  flag,
  Nullable,
  strictObject,
  Timestamp,
  uuid,
  withExample,
} from '../../../records/schema.js';
import { AuthenticationCredential } from '../../accounts/accounts.js';
import { BrowserJwk, BrowserSignature } from '../../browsers/browsers.js';
import { ReturnCode } from '../../pairing/pairing.js';

const BROWSER_CHALLENGE = `${ids.proofNonce}.1778578500.${secrets.refreshToken}`;

/** The same schema with what it is for. */
const withDescription = <T extends TSchema>(schema: T, description: string): T => ({
  ...schema,
  description,
});

export const SessionBody = Type.Object(
  {
    sameDevice: Type.Optional(flag(false)),
    browser: Type.Optional(
      strictObject({
        jwk: BrowserJwk,
        signature: withDescription(
          BrowserSignature,
          'Of `svc-browser-v1|open|<tenantId>|<environment>|<uid>|<browserChallenge>`.',
        ),
      }),
    ),
  },
  { additionalProperties: false, title: 'SignInSessionCreateParams' },
);
export const CompleteBody = Type.Object(
  {
    sessionId: uuid(ids.pairing),
    returnCode: Type.Optional(ReturnCode),
    browser: Type.Optional(
      strictObject({
        signature: withDescription(
          BrowserSignature,
          'Of `svc-browser-v1|complete|<tenantId>|<environment>|<uid>|<sessionId>|<nonce>`; with a return code, `redeem` instead of `complete`.',
        ),
      }),
    ),
    remember: Type.Optional(
      Type.Boolean({
        description:
          'After a sign-in with the phone beside this browser: it is the person’s, and becomes known.',
        examples: [false],
      }),
    ),
  },
  { additionalProperties: false, title: 'SignInCompleteParams' },
);
export const NearbyBody = Type.Object(
  {
    sessionId: uuid(ids.pairing),
    credential: AuthenticationCredential,
    browser: strictObject({
      signature: withDescription(
        BrowserSignature,
        'Of `svc-browser-v1|nearby|<tenantId>|<environment>|<uid>|<sessionId>|<nonce>`.',
      ),
    }),
  },
  { additionalProperties: false, title: 'SignInNearbyParams' },
);
export const NearbyReply = strictObject({
  session: strictObject({ id: uuid(ids.pairing), state: Type.Enum(['bound']) }),
});
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
      tenantId: uuid(ids.tenant),
      environment: Type.Enum(['live', 'test']),
      browserChallenge: exampleText(
        BROWSER_CHALLENGE,
        'For the signature that opens a session: valid once, for five minutes, in this browser.',
      ),
      expiresAt: Timestamp,
      sameDeviceOnly: flag(false),
      nearbyIfNew: flag(false),
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
      nonce: exampleText(pairingNonce, 'As in `qrPayload`.'),
      qrPayload: exampleText('za:pair:2:…'),
      url: CodeUrl(ids.pairing, `${slot}.${slotMac}`),
      matchCode: Nullable(withExample('42', Type.String({ pattern: '^[0-9]{2}$' }))),
      expiresAt: Timestamp,
    },
    'SignInSession',
  ),
});
export const RedirectReply = strictObject({
  redirectTo: exampleText('https://id.example.com/oidc/…/auth/…'),
});
