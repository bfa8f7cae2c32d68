import { createPortal } from 'react-dom';
import { Button } from '../../ui/forms/button';
import { useTexts } from '../language/language';
import style from './still-there.module.css';

const WARN_S = 15;

/** Asks whether somebody is still here, shortly before the desk goes back to its start. Any touch is an answer. */
export function StillThere({ left }: { readonly left: number }) {
  const t = useTexts();
  if (left > WARN_S) return null;
  return createPortal(
    <div className={style.bar}>
      <p>
        <strong role="status">{t.stillThere}</strong> <span className={style.left}>{t.backIn(left)}</span>
      </p>
      <Button look="primary">{t.stillHere}</Button>
    </div>,
    document.body,
  );
}
