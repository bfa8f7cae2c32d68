import { console, open, route } from '../../../http/route.js';
import { brief } from '../accounts.js';
import { CONSOLE_TOKEN_SECONDS } from '../logins/logins.auth.js';
import { OpenSessionReply } from '../logins/logins.schema.js';
import { memberOf } from '../logins/logins.store.js';
import { sessionCookie, setSession } from '../logins/session-cookie.js';
import { addPasskey, listPasskeys, newPasskeyOptions, removePasskey } from './passkeys.js';
import * as schema from './passkeys.schema.js';
import { signIn, signInOptions, stepUpOptions } from './sign-in.js';

const confirmed = console({ role: 'member' });

export const passkeysConsole = [
  route({
    operationId: 'consoleListPasskeys',
    method: 'GET',
    path: '/api/console/passkeys',
    summary: 'List your own passkeys, oldest first',
    auth: console({ role: 'member' }),
    replies: { 200: schema.PasskeyList },
    handler: async (context) => ({ passkeys: await listPasskeys(context) }),
  }),
  route({
    operationId: 'consoleStartPasskey',
    method: 'POST',
    path: '/api/console/passkeys/options',
    summary: 'Get what a browser needs to make a passkey for you',
    description:
      'For `navigator.credentials.create`, after `PublicKeyCredential.parseCreationOptionsFromJSON`. The challenge can be answered once, for five minutes.',
    auth: confirmed,
    acts: ['change_passkey'],
    replies: { 200: schema.RegistrationOptionsReply },
    noStore: true,
    handler: async (context) => ({ options: await newPasskeyOptions(context) }),
  }),
  route({
    operationId: 'consoleAddPasskey',
    method: 'POST',
    path: '/api/console/passkeys',
    summary: 'Add a passkey that your browser made',
    auth: confirmed,
    acts: ['change_passkey'],
    schemas: { body: schema.AddPasskeyBody },
    replies: { 201: schema.PasskeyReply },
    errors: ['passkey_limit_reached'],
    handler: async (context) => ({ passkey: await addPasskey(context, context.body) }),
  }),
  route({
    operationId: 'consoleRemovePasskey',
    method: 'DELETE',
    path: '/api/console/passkeys/:passkeyId',
    summary: 'Remove one of your own passkeys',
    auth: confirmed,
    acts: ['change_passkey'],
    schemas: { params: { passkeyId: 'passkey_not_found' } },
    replies: { 200: schema.PasskeyReply },
    errors: ['last_owner'],
    handler: async (context) => ({ passkey: await removePasskey(context, context.params.passkeyId) }),
  }),
  route({
    operationId: 'consoleStartPasskeySession',
    method: 'POST',
    path: '/api/console/session/passkey/options',
    summary: 'Get what a browser needs to log in with a passkey',
    description:
      'For `navigator.credentials.get`, after `PublicKeyCredential.parseRequestOptionsFromJSON`. No e-mail is needed: the member chooses one of their passkeys. The challenge can be answered once, for five minutes.',
    auth: open,
    limit: { name: 'passkey', max: 60, windowSeconds: 900 },
    replies: { 200: schema.AuthenticationOptionsReply },
    noStore: true,
    handler: async (context) => ({ options: await signInOptions(context) }),
  }),
  route({
    operationId: 'consoleOpenPasskeySession',
    method: 'POST',
    path: '/api/console/session/passkey',
    summary: 'Log this browser in to the console with a passkey',
    description: 'Like `POST /api/console/session`, with a passkey instead of e-mail and password.',
    auth: open,
    limit: { name: 'login', max: 20, windowSeconds: 900 },
    schemas: { body: schema.SignInBody },
    replies: { 201: OpenSessionReply },
    replyHeaders: sessionCookie,
    errors: ['invalid_credentials', 'tenant_inactive'],
    noStore: true,
    async handler(context) {
      const { token, row } = await signIn(context, context.body.credential);
      setSession(context, token, CONSOLE_TOKEN_SECONDS);
      return { tenant: brief(row), member: memberOf(row) };
    },
  }),
  route({
    operationId: 'consoleStartStepUp',
    method: 'POST',
    path: '/api/console/step-up/options',
    summary: 'Get what a browser needs to confirm by one of your passkeys that it is you',
    description:
      'For `navigator.credentials.get`. Without passkeys, `allowCredentials` is empty: confirm with the password. The challenge can be answered once, for five minutes.',
    auth: console({ role: 'member' }),
    replies: { 200: schema.AuthenticationOptionsReply },
    noStore: true,
    handler: async (context) => ({ options: await stepUpOptions(context) }),
  }),
];
