import Type from 'typebox';
import { ids, secrets } from '../../model/example-fixtures.js';
import { exampleText, strictObject, Text, uuid, withExample } from '../../records/schema.js';
import { Email, Password, TenantBrief } from '../accounts/accounts.js';

export const SignupBody = strictObject(
  {
    email: Email,
    password: Password,
    companyName: withExample('Example AG', Text(200)),
    preset: Type.Optional(
      Type.Enum(['recommended'], {
        description:
          'The first security policy: `recommended` asks for the number at each pairing and turns deprecated endpoints off. Default: none, which is permissive.',
        examples: ['recommended'],
      }),
    ),
  },
  'SignUpParams',
);

const FirstKey = Type.Object(
  {
    id: uuid(ids.apiKey),
    name: exampleText('First live key'),
    prefix: exampleText(secrets.apiKeyPrefix),
    key: exampleText(secrets.apiKey),
    warning: exampleText('Store this key now: it is shown this once and cannot be recovered.'),
  },
  { additionalProperties: false, title: 'FirstApiKey' },
);
export const SignupReply = strictObject({
  token: exampleText(secrets.consoleToken),
  tenant: TenantBrief,
  apiKey: FirstKey,
});
