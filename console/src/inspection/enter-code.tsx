import { useState } from 'react';
import { Button } from '../ui/forms/button';
import { TextField } from '../ui/forms/fields/field';
import { Notice } from '../ui/layout/surface';
import style from './frame.module.css';
import { useTexts } from './language/spoken';
import { type Fault, faultOf } from './service';

const DIGITS = 6;

/** Asks for the code, which was given apart from the link. */
export function EnterCode({ onEnter }: { readonly onEnter: (code: string) => Promise<void> }) {
  const { enter: t, title, faults } = useTexts();
  const [code, setCode] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault>();
  const send = async () => {
    if (isBusy || code.length !== DIGITS) return;
    setBusy(true);
    setFault(undefined);
    try {
      await onEnter(code);
    } catch (error) {
      setFault(faultOf(error));
      setBusy(false);
    }
  };
  return (
    <form
      className={style.card}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h1>{title}</h1>
      <p>{t.about}</p>
      <div className={style.code}>
        <TextField
          label={t.code}
          hint={t.hint}
          inputMode="numeric"
          autoComplete="off"
          spellCheck={false}
          autoFocus
          required
          // With a space in between, as people write it down.
          maxLength={DIGITS + 1}
          value={code}
          onChange={({ target }) => setCode(target.value.replace(/\D/g, '').slice(0, DIGITS))}
        />
      </div>
      {fault && <Notice tone="bad">{faults[fault]}</Notice>}
      <Button look="primary" type="submit" busy={isBusy}>
        {t.open}
      </Button>
    </form>
  );
}
