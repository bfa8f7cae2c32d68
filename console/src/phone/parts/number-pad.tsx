import { Delete } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { t } from '../language/strings';
import style from './number-pad.module.css';
import screen from './screen/screen.module.css';

/** Asks for the digits that the other screen shows. A hardware keyboard works too: digits, Backspace and Enter. */
export function EnterNumber({
  length,
  about,
  digits,
  isReady = true,
  onChange,
  onEnter,
}: {
  /** How many digits: 2, or 6 in two groups. */
  readonly length: 2 | 6;
  readonly about: string;
  readonly digits: string;
  /** Whether digits are taken. */
  readonly isReady?: boolean;
  readonly onChange: (digits: string) => void;
  /** Enter was pressed. Absent where the last digit is enough. */
  readonly onEnter?: () => void;
}) {
  const add = (digit: string) => onChange((digits + digit).slice(0, length));
  const remove = () => onChange(digits.slice(0, -1));
  useKeys((key, target) => {
    if (!isReady) return;
    if (/^[0-9]$/.test(key)) add(key);
    else if (key === 'Backspace') remove();
    // On a button, Enter presses that button.
    else if (key === 'Enter' && digits.length === length && !(target instanceof HTMLButtonElement))
      onEnter?.();
  });
  return (
    <>
      <p className={screen.about}>{about}</p>
      <div className={style.digits} data-length={length} aria-hidden="true">
        {Array.from({ length }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place for a digit is nothing but its position
          <span key={at} data-next={at === digits.length || undefined}>
            {digits[at]}
          </span>
        ))}
      </div>
      <p className="visually-hidden" role="status">
        {t.pair.number.entered([...digits].join(' '))}
      </p>
      <fieldset className={style.pad}>
        <legend className="visually-hidden">{t.pair.number.pad}</legend>
        {['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'].map((digit) => (
          <button key={digit} type="button" disabled={!isReady} onClick={() => add(digit)}>
            {digit}
          </button>
        ))}
        <button type="button" aria-label={t.pair.number.remove} onClick={remove} disabled={digits === ''}>
          <Delete size={24} aria-hidden="true" />
        </button>
      </fieldset>
    </>
  );
}

function useKeys(onKey: (key: string, target: EventTarget | null) => void): void {
  const handler = useRef(onKey);
  handler.current = onKey;
  // Before the browser handles another key, which would be lost.
  useLayoutEffect(() => {
    const onKeyDown = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (!ctrlKey && !metaKey && !altKey) handler.current(key, target);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
