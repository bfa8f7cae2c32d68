import Type from 'typebox';
import { closed } from '../../kernel/schema.js';

export const LoginReply = closed({
  redirectUrl: Type.String({ description: 'Send the browser there.' }),
  relayState: Type.String({ description: 'Comes back with the answer; good once, for 10 minutes.' }),
});
export const CallbackBody = closed({
  SAMLResponse: Type.String({
    minLength: 1,
    maxLength: 65_536,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    description: 'base64, as the browser was given it',
  }),
  RelayState: Type.String({ minLength: 1, maxLength: 512 }),
});
