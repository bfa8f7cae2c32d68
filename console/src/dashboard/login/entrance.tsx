import { type ReactNode, useEffect } from 'react';
import { Brand } from '../../ui/layout/brand';
import style from './entrance.module.css';

export function Entrance({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main className={style.entrance}>
      <a href="/">
        <Brand />
      </a>
      <div className={style.box}>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
