import { isSvcError } from '@svc/sdk';
import { createContext, type FormEvent, type ReactNode, useContext } from 'react';

interface Sent {
  readonly names: readonly string[];
  /** The service's answer to it, where that is an error. */
  readonly error: unknown;
}
const FormContext = createContext<Sent>({ names: [], error: null });

/** A form that hands on its texts by name. Where the service refuses one of them, the field of that name says why. */
export function Form<K extends string>({
  names,
  error,
  className,
  onSend,
  children,
}: {
  readonly names: readonly K[];
  readonly error: unknown;
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

/** `body.profile.fullName` is the field `fullName`. */
const fieldOf = (path: string): string => path.replace(/^.*\./, '');

const detailsOf = (error: unknown) => (isSvcError(error) && error.details) || [];

/** What the service says of this field of the form, as in “must have at least one digit”. */
export function useFieldError(name: string | undefined): string | undefined {
  const { names, error } = useContext(FormContext);
  if (name === undefined || !names.includes(name)) return undefined;
  return detailsOf(error).find(({ path }) => fieldOf(path) === name)?.message;
}

/** Whether the fields of the form around it say all that there is to say of an error. */
export function useIsShownAtFields(error: unknown): boolean {
  const form = useContext(FormContext);
  const details = detailsOf(error);
  return (
    form.error === error &&
    details.length > 0 &&
    details.every(({ path }) => form.names.includes(fieldOf(path)))
  );
}
