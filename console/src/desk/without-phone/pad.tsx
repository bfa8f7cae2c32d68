import { ArrowRight, Delete } from 'lucide-react';
import {
  type FormEvent,
  type PointerEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '../../ui/forms/button';
import { classes } from '../../ui/layout/classes';
import { useClockTexts } from '../language/clock';
import { useTexts } from '../language/language';
import { PIN_LENGTH } from './known';
import style from './without-phone.module.css';

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** A number for which somebody touches the screen, or types. A PIN is sent with its last digit. */
export function Pad({
  title,
  about,
  kind,
  first = '',
  onDone,
  onBack,
}: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly kind: 'number' | 'pin';
  readonly first?: string;
  readonly onDone: (value: string) => void;
  readonly onBack: () => void;
}) {
  const { pad: t } = useClockTexts();
  const { back } = useTexts();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState(first);
  const [hasLetters, setLetters] = useState(false);
  const isPin = kind === 'pin';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keyboard of the tablet comes and goes with the focus
  useLayoutEffect(() => {
    input.current?.blur();
    input.current?.focus();
  }, [hasLetters]);
  const change = (typed: string) => {
    const next = isPin ? typed.replace(/\D/g, '').slice(0, PIN_LENGTH) : typed.slice(0, 100);
    setValue(next);
    if (isPin && next.length === PIN_LENGTH) onDone(next);
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isPin && value.trim() !== '') onDone(value.trim());
  };
  // A touch leaves the focus where a keyboard types.
  const stay = (event: PointerEvent) => event.preventDefault();
  return (
    <form className={style.pad} onSubmit={send} autoComplete="off">
      <h1>
        <label htmlFor={id}>{title}</label>
      </h1>
      {about && <div className={style.about}>{about}</div>}
      <input
        {...{ id, value, autoComplete: 'off', autoCorrect: 'off', spellCheck: false }}
        ref={input}
        className={classes(style.value, isPin && style.secret)}
        inputMode={hasLetters ? 'text' : 'none'}
        onChange={({ target }) => change(target.value)}
      />
      <div className={style.keys} onPointerDown={hasLetters ? undefined : stay}>
        {DIGITS.map((digit) => (
          <Button key={digit} onClick={() => change(value + digit)}>
            {digit}
          </Button>
        ))}
        {isPin ? (
          <span />
        ) : (
          <Button aria-pressed={hasLetters} onClick={() => setLetters(!hasLetters)}>
            ABC
          </Button>
        )}
        <Button onClick={() => change(`${value}0`)}>0</Button>
        <Button aria-label={t.erase} onClick={() => setValue(value.slice(0, -1))}>
          <Delete size={28} aria-hidden="true" />
        </Button>
      </div>
      <div className={style.actions}>
        <Button onClick={onBack}>{back}</Button>
        {!isPin && (
          <Button look="primary" type="submit" disabled={value.trim() === ''}>
            {t.next}
            <ArrowRight size={22} aria-hidden="true" />
          </Button>
        )}
      </div>
    </form>
  );
}
