import { open, route } from '../../http/route.js';
import { signUp } from '../accounts/accounts.js';
import { createKey } from '../keys/keys.js';
import * as schema from './signup.schema.js';

export const signupConsole = [
  route({
    operationId: 'consoleSignUp',
    method: 'POST',
    path: '/api/console/signup',
    summary: 'Create an account and its first live key',
    auth: open,
    limit: { name: 'signup', max: 10, windowSeconds: 900 },
    schemas: { body: schema.SignupBody },
    replies: { 201: schema.SignupReply },
    errors: ['weak_password', 'email_already_registered'],
    secret: true,
    async handler(context) {
      const { token, tenant, apiKey } = await signUp(context, context.body, (w) =>
        createKey(w, context.deps, { name: 'First live key', environment: 'live' }, true),
      );
      const { id, name, prefix, key, warning } = apiKey;
      return { token, tenant, apiKey: { id, name, prefix, key, warning } };
    },
  }),
];
