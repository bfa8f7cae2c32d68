import { requireActive } from '../../../http/limits.js';
import { console, open, route } from '../../../http/route.js';
import { accountOf } from '../accounts.console.js';
import { brief } from '../accounts.js';
import { stepUpByPasskey } from '../passkeys/sign-in.js';
import { CONSOLE_TOKEN_SECONDS, findSession } from './logins.auth.js';
import {
  changePassword,
  confirmedUntil,
  endLogin,
  endOwnLogin,
  listLogins,
  logIn,
  logOut,
  stepUp,
} from './logins.js';
import * as schema from './logins.schema.js';
import { memberOf } from './logins.store.js';
import { closeSession, endSession, renewSession, sessionCookie, setSession } from './session-cookie.js';

export const loginsConsole = [
  route({
    operationId: 'consoleLogIn',
    method: 'POST',
    path: '/api/console/login',
    summary: 'Log in to the console with a token that lasts 24 hours',
    auth: open,
    limit: { name: 'login', max: 20, windowSeconds: 900 },
    schemas: { body: schema.LoginBody },
    replies: { 200: schema.LoginReply },
    errors: ['invalid_credentials', 'tenant_inactive'],
    secret: true,
    async handler(context) {
      const { token, row } = await logIn(context, context.body, 'bearer');
      return { token, tenant: brief(row) };
    },
  }),
  route({
    operationId: 'consoleOpenSession',
    method: 'POST',
    path: '/api/console/session',
    summary: 'Log this browser in to the console',
    description:
      'Like `POST /api/console/login`, for the pages of the service: the token is stored in a cookie that scripts can’t read ' +
      'and that is accepted only in requests from pages of this origin.',
    auth: open,
    limit: { name: 'login', max: 20, windowSeconds: 900 },
    schemas: { body: schema.LoginBody },
    replies: { 201: schema.OpenSessionReply },
    replyHeaders: sessionCookie,
    errors: ['invalid_credentials', 'tenant_inactive'],
    noStore: true,
    async handler(context) {
      const { token, row } = await logIn(context, context.body, 'cookie');
      setSession(context, token, CONSOLE_TOKEN_SECONDS);
      return { tenant: brief(row), member: memberOf(row) };
    },
  }),
  route({
    operationId: 'consoleGetSession',
    method: 'GET',
    path: '/api/console/session',
    summary: 'Get the account and the member that this browser is logged in as',
    description:
      'Like `GET /api/console/account`, for the pages of the service: only the session cookie is accepted. Without a session, or ' +
      'after it has ended, everything is null.',
    auth: open,
    limit: { name: 'session', max: 300, windowSeconds: 60 },
    replies: { 200: schema.SessionReply },
    errors: ['tenant_inactive'],
    noStore: true,
    async handler(context) {
      const session = await findSession(context.deps, context);
      if (session === undefined) return { tenant: null, limits: null, member: null, confirmedUntil: null };
      requireActive(session.tenant, true);
      return {
        ...accountOf(session.tenant),
        member: session.member,
        confirmedUntil: confirmedUntil(session),
      };
    },
  }),
  route({
    operationId: 'consoleCloseSession',
    method: 'DELETE',
    path: '/api/console/session',
    summary: 'Log this browser out of the console',
    description:
      'Deletes the session cookie, if a page of this origin sent the request, and ends its log-in, so that a copy of the cookie does not ' +
      'work any more. Other browsers stay logged in. Without a session, the response is the same.',
    auth: open,
    limit: { name: 'session', max: 300, windowSeconds: 60 },
    replies: { 200: schema.LogoutReply },
    noStore: true,
    async handler(context) {
      await endOwnLogin(context);
      closeSession(context);
      return { loggedOut: true };
    },
  }),
  route({
    operationId: 'consoleLogOut',
    method: 'POST',
    path: '/api/console/logout',
    summary: 'End all console tokens of the member',
    auth: console({ role: 'member' }),
    whileClosing: true,
    replies: { 200: schema.LogoutReply },
    async handler(context) {
      await logOut(context);
      endSession(context);
      return { loggedOut: true };
    },
  }),
  route({
    operationId: 'consoleChangePassword',
    method: 'POST',
    path: '/api/console/password',
    summary: 'Change the password, end older tokens and return a new one',
    description:
      'A page that is logged in by cookie gets a new cookie. A member without a password omits `currentPassword`, and needs a log-in that was confirmed in the last five minutes.',
    auth: console({ role: 'member' }),
    schemas: { body: schema.PasswordBody },
    replies: { 200: schema.TokenReply },
    replyHeaders: sessionCookie,
    errors: ['invalid_credentials', 'weak_password', 'step_up_required', 'rate_limit_exceeded'],
    secret: true,
    async handler(context) {
      const token = await changePassword(context, context.body);
      renewSession(context, token, CONSOLE_TOKEN_SECONDS);
      return { token };
    },
  }),
  route({
    operationId: 'consoleListLoginSessions',
    method: 'GET',
    path: '/api/console/login-sessions',
    summary: 'List your own log-ins to the console that have not ended, newest first',
    description: 'At most 100. `/api/console/sessions` lists those of the people who sign in with you.',
    auth: console({ role: 'member' }),
    replies: { 200: schema.LoginSessionList },
    handler: async (context) => ({ loginSessions: await listLogins(context, context.read) }),
  }),
  route({
    operationId: 'consoleEndLoginSession',
    method: 'DELETE',
    path: '/api/console/login-sessions/:loginSessionId',
    summary: 'End one of your own log-ins to the console',
    auth: console({ role: 'member' }),
    schemas: { params: { loginSessionId: 'session_not_found' } },
    replies: { 200: schema.LogoutReply },
    async handler(context) {
      const { loginSessionId } = context.params;
      await endLogin(context, loginSessionId);
      if (loginSessionId === context.principal.login.id) endSession(context);
      return { loggedOut: true };
    },
  }),
  route({
    operationId: 'consoleStepUp',
    method: 'POST',
    path: '/api/console/step-up',
    summary: 'Confirm that it is you, for the changes that ask for it',
    description:
      'With the password, or with a passkey and the options of `POST /api/console/step-up/options`. For five minutes, in this log-in only. Wrong passwords count as those of a log-in.',
    auth: console({ role: 'member' }),
    schemas: { body: schema.StepUpBody },
    replies: { 200: schema.StepUpReply },
    errors: ['invalid_credentials', 'rate_limit_exceeded'],
    noStore: true,
    async handler(context) {
      const { credential, password = '' } = context.body;
      const until = credential ? await stepUpByPasskey(context, credential) : await stepUp(context, password);
      return { until };
    },
  }),
];
