import { type ReactNode, useEffect, useRef } from 'react';
import { useWorks } from '../../light/use-works';
import { Brand } from '../../ui/brand/brand';
import { Notice } from '../../ui/layout/surface';
import style from './entrance.module.css';

/** The title that was shown last, by whichever component. */
let shown: string | undefined;

/** A page before the dashboard: a card under the product's name, like the sign-in page. */
export function Entrance({
  title,
  about,
  more,
  children,
}: {
  readonly title: string;
  readonly about?: ReactNode;
  /** Where else to go, below the card. */
  readonly more?: ReactNode;
  readonly children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    // What had the focus is gone, and a screen reader should read what came instead.
    if (shown !== undefined && shown !== title) heading.current?.focus();
    shown = title;
  }, [title]);
  return (
    <main className={style.entrance}>
      <div className={style.card}>
        <header className={style.head}>
          <a href="/">
            <Brand />
          </a>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about && <p>{about}</p>}
        </header>
        <Unencrypted />
        {children}
      </div>
      {more && <p className={style.more}>{more}</p>}
    </main>
  );
}

/** Browsers neither store our cookie nor say which page sent a request, so that a log-in would lead back to this page without a word. */
function Unencrypted() {
  if (!useWorks() || isSecureContext) return null;
  return (
    <Notice tone="bad">
      This page was opened without encryption, so your browser doesn’t keep you logged in. Open it with https,
      or at localhost on the computer that runs the service.
    </Notice>
  );
}
