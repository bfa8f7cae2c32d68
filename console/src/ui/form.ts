import type { FormEvent } from 'react';

/** A form's texts by name, handed on when it is sent. */
export const readForm =
  <K extends string>(names: readonly K[], send: (values: Record<K, string>) => void) =>
  (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    send(Object.fromEntries(names.map((name) => [name, String(form.get(name) ?? '')])) as Record<K, string>);
  };
