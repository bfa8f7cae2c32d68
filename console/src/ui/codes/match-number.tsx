import { useId } from 'react';
import style from './match-number.module.css';

/** The number that somebody reads here and types on their phone, so that they approve what they see. */
export function MatchNumber({ of }: { readonly of: string }) {
  const id = useId();
  return (
    <div className={style.match}>
      <p id={id}>Type this number on the phone</p>
      <output className={style.number} aria-labelledby={id}>
        {of}
      </output>
    </div>
  );
}
