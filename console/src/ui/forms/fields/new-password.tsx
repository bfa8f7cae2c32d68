import { Check, X } from 'lucide-react';
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import style from './password.module.css';
import { PasswordField } from './password-field';

type Rule = readonly [text: string, isMet: (password: string) => boolean];

/** The rules of the service that a page can check. Only the service has the list of common passwords. */
const RULES: readonly Rule[] = [
  ['At least 12 characters', (password) => [...password.normalize('NFC')].length >= 12],
  ['A letter and a digit', (password) => /\p{L}/u.test(password) && /\p{N}/u.test(password)],
];

/** A field for a new password, typed once. Its rules are shown from the start, and the form is only sent once they are met. */
export function NewPassword({
  label = 'New password',
  name,
  autoFocus,
}: {
  readonly label?: string;
  readonly name: string;
  readonly autoFocus?: boolean;
}) {
  const field = useRef<HTMLDivElement>(null);
  const [password, setPassword] = useState('');
  const [isTried, setTried] = useState(false);
  // Layout effects, because the button that sends the form may be clicked right after.
  useLayoutEffect(() => {
    const input = field.current?.querySelector('input');
    // Something may have been typed before the page worked.
    setPassword(input?.value ?? '');
    const clear = () => {
      setPassword('');
      setTried(false);
    };
    input?.form?.addEventListener('reset', clear);
    return () => input?.form?.removeEventListener('reset', clear);
  }, []);
  const missing = RULES.filter(([, isMet]) => !isMet(password)).map(([text]) => text);
  const message = missing.length === 0 ? '' : `${missing.join('. ')}.`;
  useLayoutEffect(() => field.current?.querySelector('input')?.setCustomValidity(message), [message]);
  return (
    <div ref={field}>
      <PasswordField
        label={label}
        name={name}
        autoComplete="new-password"
        hint={
          <ul className={style.rules}>
            {RULES.map(([text, isMet]) => (
              <RuleItem key={text} text={text} isMet={isMet(password)} isTried={isTried} />
            ))}
            <li>
              <span className={style.dot} />
              <span>Not a common password, your e-mail or your company</span>
            </li>
          </ul>
        }
        required
        aria-invalid={(isTried && message !== '') || undefined}
        autoFocus={autoFocus}
        onInput={(event: FormEvent<HTMLInputElement>) => setPassword(event.currentTarget.value)}
        onInvalid={(event: FormEvent<HTMLInputElement>) => {
          // The browser's own bubble would cover the rules, which say the same.
          event.preventDefault();
          setTried(true);
          const { currentTarget: input } = event;
          if (input.form?.querySelector('input:invalid') === input) input.focus();
        }}
      />
    </div>
  );
}

/** A rule that is not met is an error once somebody has tried to send the form. */
function RuleItem({
  text,
  isMet,
  isTried,
}: {
  readonly text: string;
  readonly isMet: boolean;
  readonly isTried: boolean;
}) {
  const isWrong = isTried && !isMet;
  const Icon = isMet ? Check : X;
  return (
    <li className={isMet ? style.met : isWrong ? style.unmet : undefined}>
      {isMet || isWrong ? <Icon size={14} aria-hidden="true" /> : <span className={style.dot} />}
      <span>
        {text}
        {isMet && <span className="visually-hidden">, met</span>}
        {isWrong && <span className="visually-hidden">, not met</span>}
      </span>
    </li>
  );
}
