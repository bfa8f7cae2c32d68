import { TextField } from '../../ui/forms/field';

/** A password that is chosen, with its rules. */
export const NewPassword = ({
  label = 'Password',
  name = 'password',
}: {
  readonly label?: string;
  readonly name?: string;
}) => (
  <TextField
    label={label}
    name={name}
    type="password"
    autoComplete="new-password"
    hint="At least 12 characters, hard to guess."
    maxLength={256}
    required
  />
);
