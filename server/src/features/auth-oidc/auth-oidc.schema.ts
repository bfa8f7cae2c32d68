import Type from 'typebox';
import { closed, like, shown } from '../../kernel/schema.js';
import { secrets } from '../../model/story.js';

export const AuthorizeReply = closed({
  authorizationUrl: shown(
    `https://id.example.com/oidc/authorize?response_type=code&scope=openid&state=${secrets.state}`,
    'Send the browser there.',
  ),
  state: shown(secrets.state, 'Comes back with the code; good once, for 10 minutes.'),
});
export const CallbackBody = closed({
  code: like('SplxlOBeZQQYbYS6WxSbIA', Type.String({ minLength: 1, maxLength: 512 })),
  state: like(secrets.state, Type.String({ minLength: 1, maxLength: 512 })),
});
