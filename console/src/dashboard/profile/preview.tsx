import { useEffect, useRef } from 'react';
import { isLight } from '../../ui/color';
import style from './profile.module.css';

/** The card on a person's phone. */
export function Preview({
  name,
  accentColor,
  logo,
}: {
  readonly name: string;
  readonly accentColor: string;
  readonly logo: string | null;
}) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.style.setProperty('--company', accentColor), [accentColor]);
  return (
    <section aria-label="Preview" className={style.preview}>
      <p>On a phone</p>
      <div ref={card} className={style.card} data-ink={isLight(accentColor) ? 'dark' : 'light'}>
        {logo === null ? (
          <span aria-hidden="true">{[...name.trim()][0] ?? ''}</span>
        ) : (
          <img src={logo} alt="" />
        )}
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </div>
    </section>
  );
}
