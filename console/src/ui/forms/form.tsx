import { isSvcError, type SvcError } from '@svc/sdk';
import { createContext, type FormEvent, type ReactNode, useContext } from 'react';

interface Sent {
  readonly names: readonly string[];
  /** The error that the service returned for the form, if any. */
  readonly error: unknown;
}
const FormContext = createContext<Sent>({ names: [], error: null });

/** A form that submits its values by name. If the service rejects one, the field of that name shows why. */
export function Form<K extends string>({
  names,
  error,
  className,
  onSend,
  children,
}: {
  readonly names: readonly K[];
  readonly error?: unknown;
  readonly className?: string | undefined;
  readonly onSend: (values: Record<K, string>) => void;
  readonly children: ReactNode;
}) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    onSend(
      Object.fromEntries(names.map((name) => [name, String(form.get(name) ?? '')])) as Record<K, string>,
    );
  };
  return (
    <form className={className} onSubmit={send}>
      <FormContext value={{ names, error }}>{children}</FormContext>
    </form>
  );
}

/** `body.profile.fullName` is the field `fullName`, and `body.action.fields.0.label` the field `fields.0.label`. */
const isAbout = (path: string, name: string): boolean => path === name || path.endsWith(`.${name}`);

type Details = NonNullable<SvcError['details']>;

export const detailsOf = (error: unknown): Details => (isSvcError(error) && error.details) || [];

/** The service's error for this field, for example “must have at least one digit”. */
export function useFieldError(name: string | undefined): string | undefined {
  const { names, error } = useContext(FormContext);
  if (name === undefined || !names.includes(name)) return undefined;
  return detailsOf(error).find(({ path }) => isAbout(path, name))?.message;
}

/** The details of an error that no field of the surrounding form shows. */
export function useOtherDetails(error: unknown): Details {
  const form = useContext(FormContext);
  const names = form.error === error ? form.names : [];
  return detailsOf(error).filter(({ path }) => !names.some((name) => isAbout(path, name)));
}
