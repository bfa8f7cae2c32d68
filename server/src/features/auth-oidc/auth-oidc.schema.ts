import Type from 'typebox';
import { closed } from '../../kernel/schema.js';

export const AuthorizeReply = closed({
  authorizationUrl: Type.String({ description: 'Send the browser there.' }),
  state: Type.String({ description: 'Comes back with the code; good once, for 10 minutes.' }),
});
export const CallbackBody = closed({
  code: Type.String({ minLength: 1, maxLength: 512 }),
  state: Type.String({ minLength: 1, maxLength: 512 }),
});
