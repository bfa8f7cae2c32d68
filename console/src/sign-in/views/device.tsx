import { type ChangeEvent, type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Choices, Frame } from '../frame/frame';
import { t } from '../language/strings';
import type { PageData } from '../page-data';
import style from './form.module.css';
import { NativeForm } from './native-form';
import { formatUserCode, isComplete } from './user-code';

/** Asks for the code that another device shows. */
export function Device({ brand, action, xsrf, problem }: Extract<PageData, { readonly view: 'device' }>) {
  const [code, setCode] = useState({ text: '', caret: 0 });
  const [error, setError] = useState(problem && t.device.problems[problem]);
  const input = useRef<HTMLInputElement>(null);
  // After the text has changed, which moves the cursor to its end.
  useLayoutEffect(() => input.current?.setSelectionRange(code.caret, code.caret), [code]);
  const change = ({ target: { value, selectionStart } }: ChangeEvent<HTMLInputElement>) => {
    setCode(formatUserCode({ text: value, caret: selectionStart ?? value.length }));
    setError(undefined);
  };
  const check = (event: FormEvent) => {
    if (isComplete(code.text)) return;
    event.preventDefault();
    setError(code.text === '' ? t.device.problems.missing : t.device.incomplete);
    input.current?.focus();
  };
  return (
    <Frame brand={brand} title={t.device.title}>
      <NativeForm action={action} xsrf={xsrf} onSubmit={check}>
        <div className={style.intro}>
          <h1>{t.device.title}</h1>
          <p id="code-about">{t.device.text}</p>
        </div>
        <div className={style.field}>
          <label className="visually-hidden" htmlFor="user-code">
            {t.device.code}
          </label>
          <input
            ref={input}
            id="user-code"
            name="user_code"
            value={code.text}
            onChange={change}
            placeholder="XXXX-XXXX"
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="go"
            // biome-ignore lint/a11y/noAutofocus: the page has no other purpose than this field
            autoFocus
            aria-describedby={error ? 'code-about code-problem' : 'code-about'}
            aria-invalid={error ? true : undefined}
          />
          <p id="code-problem" className={style.problem} role="alert">
            {error}
          </p>
        </div>
        <Choices>
          <Button type="submit" look="primary">
            {t.device.action}
          </Button>
        </Choices>
      </NativeForm>
    </Frame>
  );
}
