import Type from 'typebox';
import { secrets } from '../../../model/example-fixtures.js';
import { exampleText, strictObject, withExample } from '../../../records/schema.js';

export const AuthorizeReply = strictObject({
  authorizationUrl: exampleText(
    `https://id.example.com/oidc/authorize?response_type=code&scope=openid&state=${secrets.state}`,
    'Send the browser there.',
  ),
  state: exampleText(secrets.state, 'Comes back with the code; good once, for 10 minutes.'),
});
export const CallbackBody = strictObject(
  {
    code: withExample('SplxlOBeZQQYbYS6WxSbIA', Type.String({ minLength: 1, maxLength: 512 })),
    state: withExample(secrets.state, Type.String({ minLength: 1, maxLength: 512 })),
  },
  'OidcLoginCompleteParams',
);
