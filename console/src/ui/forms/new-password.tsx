import { useState } from 'react';
import { Stack } from '../layout/surface';
import { CheckField, TextField } from './field';

/** A field for a new password, typed once, which can be shown to check it. */
export function NewPassword({
  label = 'New password',
  name,
  autoFocus,
}: {
  readonly label?: string;
  readonly name: string;
  readonly autoFocus?: boolean;
}) {
  const [isShown, show] = useState(false);
  return (
    <Stack>
      <TextField
        label={label}
        name={name}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        hint="At least 12 characters, hard to guess."
        maxLength={256}
        spellCheck={false}
        autoCapitalize="none"
        required
        autoFocus={autoFocus}
      />
      <CheckField
        label="Show what you type"
        checked={isShown}
        onChange={({ currentTarget }) => show(currentTarget.checked)}
      />
    </Stack>
  );
}
