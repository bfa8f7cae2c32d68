import { open, route } from '../../../http/route.js';
import { forgetPassword, resetPassword } from './password-reset.js';
import * as schema from './password-reset.schema.js';

export const passwordResetConsole = [
  route({
    operationId: 'consoleForgotPassword',
    method: 'POST',
    path: '/api/console/password/forgot',
    summary: 'Ask for an e-mail with a link to choose a new password',
    description:
      'The response is the same for every e-mail. `mail: false` says that the service sends no e-mail, so that its operator has to help. A link is sent if the e-mail is that of a member with a password, at most five times an hour. It works once, within 30 minutes, and a newer link replaces it.',
    auth: open,
    limit: { name: 'password-forgot', max: 20, windowSeconds: 900 },
    schemas: { body: schema.ForgotBody },
    replies: { 202: schema.ForgotReply },
    noStore: true,
    handler: (context) => forgetPassword(context, context.body),
  }),
  route({
    operationId: 'consoleResetPassword',
    method: 'POST',
    path: '/api/console/password/reset',
    summary: 'Choose a new password by the link of an e-mail',
    description: 'Ends all log-ins of the member. Log in with the new password.',
    auth: open,
    limit: { name: 'password-reset', max: 20, windowSeconds: 900 },
    schemas: { body: schema.ResetBody },
    replies: { 200: schema.ResetReply },
    errors: ['password_reset_not_found', 'weak_password'],
    noStore: true,
    async handler(context) {
      await resetPassword(context, context.body);
      return { reset: true };
    },
  }),
];
