import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { TextField } from '../../../ui/forms/fields/field';
import { Form } from '../../../ui/forms/form';
import { isContact } from '../../flow/contact';
import type { Person } from '../../flow/scene';
import { useTexts } from '../../language/language';
import { usePhoneTexts } from '../../language/phone';
import style from './form.module.css';

/** Asks who is registered. Nothing is offered that somebody typed here before. */
export function PersonForm({
  title,
  person,
  error,
  onSend,
  onBack,
}: {
  /** Default: a question to the person. */
  readonly title?: string;
  readonly person: Person | undefined;
  /** Of the service, about what was sent. */
  readonly error: unknown;
  readonly onSend: (person: Person) => void;
  readonly onBack: () => void;
}) {
  const { person: t } = usePhoneTexts();
  const { back } = useTexts();
  const [wrong, setWrong] = useState<readonly (keyof Person)[]>(error ? ['contact'] : []);
  const form = useRef<HTMLDivElement>(null);
  const focus = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();
  // Before the form can be seen, so that no key is lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form appears
  useLayoutEffect(() => focus(error ? 'contact' : 'fullName'), []);
  const send = (sent: Person) => {
    const faults = [
      ...(sent.fullName.trim() === '' ? (['fullName'] as const) : []),
      ...(isContact(sent.contact) ? [] : (['contact'] as const)),
    ];
    setWrong(faults);
    if (faults[0] === undefined) onSend(sent);
    else focus(faults[0]);
  };
  const typed = { autoComplete: 'off', spellCheck: false, autoCorrect: 'off' };
  return (
    <div className={style.form} ref={form}>
      <h1>{title ?? t.title}</h1>
      <Form names={['fullName', 'contact']} className={style.fields} onSend={send}>
        <TextField
          {...typed}
          label={t.fullName}
          name="fullName"
          maxLength={200}
          autoCapitalize="words"
          defaultValue={person?.fullName}
          error={wrong.includes('fullName') ? t.missingName : undefined}
        />
        <TextField
          {...typed}
          label={t.contact}
          name="contact"
          inputMode="email"
          maxLength={320}
          autoCapitalize="none"
          defaultValue={person?.contact}
          hint={t.optional}
          error={wrong.includes('contact') ? t.wrongContact : undefined}
        />
        <div className={style.actions}>
          <Button onClick={onBack}>{back}</Button>
          <Button look="primary" type="submit">
            {t.action}
          </Button>
        </div>
      </Form>
    </div>
  );
}
