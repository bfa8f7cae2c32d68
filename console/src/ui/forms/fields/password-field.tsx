import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { classes } from '../../layout/classes';
import { Field, markAutofocus } from './field';
import style from './password.module.css';

/** A field for a password, with a button that shows what was typed. */
export function PasswordField({
  label,
  hint,
  error,
  ...rest
}: Omit<ComponentProps<'input'>, 'type' | 'ref'> & {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}) {
  const [isShown, show] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field
      name={rest.name}
      label={label}
      hint={hint}
      error={error}
      control={({ className, ...ids }) => (
        <div className={style.password}>
          <input
            ref={rest.autoFocus ? markAutofocus : undefined}
            maxLength={256}
            spellCheck="false"
            autoCapitalize="none"
            {...rest}
            {...ids}
            aria-invalid={Boolean(ids['aria-invalid'] || rest['aria-invalid']) || undefined}
            type={isShown ? 'text' : 'password'}
            className={classes(String(className), style.control)}
          />
          <button
            type="button"
            className={style.show}
            // The name stays the same, because screen readers also read whether it is pressed.
            aria-label="Show what you type"
            aria-pressed={isShown}
            title={isShown ? 'Hide what you type' : 'Show what you type'}
            onClick={() => show(!isShown)}
          >
            <Icon size={18} aria-hidden="true" />
          </button>
        </div>
      )}
    />
  );
}
