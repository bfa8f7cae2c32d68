import { type ComponentProps, type ReactNode, useId } from 'react';
import { Stack } from '../../layout/stack';
import { useFieldError } from '../form';
import style from './field.module.css';

interface Described {
  readonly label: string;
  /** Only screen readers read the label. */
  readonly labelHidden?: boolean;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

/** A label, a control, its hint and its error, connected for screen readers. */
export function Field({
  name,
  label,
  labelHidden = false,
  hint,
  error: ownError,
  control,
}: Described & {
  readonly name: string | undefined;
  readonly control: (ids: Record<string, unknown>) => ReactNode;
}) {
  const id = useId();
  const rejection = useFieldError(name);
  const error = ownError ?? (rejection && `${label} ${rejection}.`);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <Stack gap={1}>
      <label className={labelHidden ? 'visually-hidden' : style.label} htmlFor={id}>
        {label}
      </label>
      {control({
        id,
        className: style.control,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <div className={style.hint} id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {error && (
        <div className={style.error} id={`${id}-error`} role="alert">
          {error}
        </div>
      )}
    </Stack>
  );
}

/** React focuses such a field before its dialog is shown, which has no effect. A dialog looks for the attribute. */
export const markAutofocus = (input: HTMLInputElement | null) => void input?.setAttribute('autofocus', '');

export function TextField({
  label,
  labelHidden = false,
  hint,
  error,
  ...rest
}: Described & ComponentProps<'input'>) {
  return (
    <Field
      name={rest.name}
      label={label}
      labelHidden={labelHidden}
      hint={hint}
      error={error}
      control={(ids) => (
        <input ref={rest.autoFocus ? markAutofocus : undefined} type="text" {...rest} {...ids} />
      )}
    />
  );
}

export function TextArea({
  label,
  hint,
  error,
  ...rest
}: Omit<Described, 'labelHidden'> & ComponentProps<'textarea'>) {
  return (
    <Field
      name={rest.name}
      label={label}
      hint={hint}
      error={error}
      control={(ids) => <textarea {...rest} {...ids} />}
    />
  );
}

export function SelectField({
  label,
  hint,
  error,
  children,
  ...rest
}: Omit<Described, 'labelHidden'> & ComponentProps<'select'>) {
  return (
    <Field
      name={rest.name}
      label={label}
      hint={hint}
      error={error}
      control={(ids) => (
        <select {...rest} {...ids}>
          {children}
        </select>
      )}
    />
  );
}

export function CheckField({
  label,
  hint,
  ...rest
}: Omit<Described, 'error' | 'labelHidden'> & Omit<ComponentProps<'input'>, 'type'>) {
  const id = useId();
  return (
    <div className={style.check}>
      <input type="checkbox" id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...rest} />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <div className={style.hint} id={`${id}-hint`}>
          {hint}
        </div>
      )}
    </div>
  );
}
