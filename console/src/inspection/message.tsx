import { useEffect, useRef } from 'react';
import style from './frame.module.css';
import { useTexts } from './language/spoken';

/** Why there is nothing to read. */
export function Message({ of }: { readonly of: 'noLink' | 'ended' }) {
  const { title, text } = useTexts()[of];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={style.card}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p>{text}</p>
    </section>
  );
}
