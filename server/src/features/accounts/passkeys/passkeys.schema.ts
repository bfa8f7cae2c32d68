import Type from 'typebox';
import { ids, passkeys } from '../../../model/example-fixtures.js';
import {
  base64url,
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
} from '../../../records/schema.js';

const PasskeyName = withExample('Laptop', Text(100));

const Passkey = strictObject(
  {
    id: uuid(ids.passkey),
    name: exampleText('Laptop'),
    createdAt: Timestamp,
    lastUsedAt: Nullable(Timestamp),
    isSynced: flag(true, 'Whether it may be on several devices of the member.'),
  },
  'Passkey',
);
export const PasskeyReply = strictObject({ passkey: Passkey });
export const PasskeyList = strictObject({ passkeys: Type.Array(Passkey) });

const CredentialId = base64url(passkeys.credentialId, 1_366);
const common = {
  id: CredentialId,
  rawId: CredentialId,
  type: withExample('public-key', Type.Enum(['public-key'])),
  authenticatorAttachment: Type.Optional(Nullable(exampleText('platform'))),
  clientExtensionResults: Type.Optional(withExample({}, FreeForm)),
};
const ClientData = base64url(passkeys.clientData, 4_096);
const AuthenticatorData = base64url(passkeys.authenticatorData, 8_192);

/** `PublicKeyCredential.toJSON()` after `navigator.credentials.create`. */
export const RegistrationCredential = strictObject(
  {
    ...common,
    response: strictObject({
      clientDataJSON: ClientData,
      attestationObject: base64url(passkeys.attestation, 16_384),
      transports: Type.Optional(
        Type.Array(withExample('internal', Type.String({ maxLength: 32 })), { maxItems: 10 }),
      ),
      authenticatorData: Type.Optional(AuthenticatorData),
      publicKey: Type.Optional(Nullable(base64url(passkeys.publicKey, 4_096))),
      publicKeyAlgorithm: Type.Optional(withExample(-7, Type.Integer())),
    }),
  },
  'RegistrationCredentialParams',
);

/** `PublicKeyCredential.toJSON()` after `navigator.credentials.get`. */
export const AuthenticationCredential = strictObject(
  {
    ...common,
    response: strictObject({
      clientDataJSON: ClientData,
      authenticatorData: AuthenticatorData,
      signature: base64url(passkeys.signature, 4_096),
      userHandle: Type.Optional(Nullable(base64url(passkeys.userHandle, 128))),
      attestationObject: Type.Optional(Nullable(base64url(passkeys.attestation, 16_384))),
    }),
  },
  'AuthenticationCredentialParams',
);

export const AddPasskeyBody = strictObject(
  { credential: RegistrationCredential, name: Type.Optional(PasskeyName) },
  'AddPasskeyParams',
);
export const SignInBody = strictObject({ credential: AuthenticationCredential }, 'PasskeyLogInParams');

const Descriptors = Type.Array(
  strictObject({
    type: exampleText('public-key'),
    id: exampleText(passkeys.credentialId),
    transports: Type.Array(exampleText('internal')),
  }),
);

export const RegistrationOptions = strictObject(
  {
    rp: strictObject({ id: exampleText('id.example.com'), name: exampleText('id.example.com') }),
    user: strictObject({
      id: exampleText(passkeys.userHandle),
      name: exampleText('grace@example.com'),
      displayName: exampleText('Grace Hopper'),
    }),
    challenge: exampleText(passkeys.challenge),
    pubKeyCredParams: Type.Array(
      strictObject({ type: exampleText('public-key'), alg: withExample(-7, Type.Integer()) }),
    ),
    timeout: count(300_000),
    excludeCredentials: Descriptors,
    authenticatorSelection: strictObject({
      residentKey: exampleText('required'),
      requireResidentKey: flag(true),
      userVerification: exampleText('required'),
    }),
    attestation: exampleText('none'),
  },
  'PasskeyRegistrationOptions',
);
export const AuthenticationOptions = strictObject(
  {
    rpId: exampleText('id.example.com'),
    challenge: exampleText(passkeys.challenge),
    timeout: count(300_000),
    allowCredentials: Descriptors,
    userVerification: exampleText('required'),
  },
  'PasskeyAuthenticationOptions',
);
export const RegistrationOptionsReply = strictObject({ options: RegistrationOptions });
export const AuthenticationOptionsReply = strictObject({ options: AuthenticationOptions });
