import Type from 'typebox';
import { secrets } from '../../../model/example-fixtures.js';
import { flag, strictObject, withExample } from '../../../records/schema.js';
import { Email, Password } from '../accounts.schema.js';

const ResetToken = Type.String({
  minLength: 1,
  maxLength: 100,
  examples: [secrets.passwordReset],
  description: 'What the link has after the #.',
});
export const ForgotBody = strictObject({ email: Email }, 'ForgotPasswordParams');
export const ForgotReply = strictObject({
  accepted: flag(true),
  mail: flag(true, 'Whether the service sends e-mail at all. The same for every e-mail.'),
});
export const ResetBody = strictObject(
  { token: ResetToken, newPassword: withExample(secrets.newPassword, Password) },
  'ResetPasswordParams',
);
export const ResetReply = strictObject({ reset: flag(true) });
