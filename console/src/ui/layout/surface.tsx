import { type ReactNode, useEffect } from 'react';
import { classes } from './classes';
import style from './surface.module.css';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'info';
interface Held {
  readonly children: ReactNode;
}

/** A page of a program: its title, also of the tab, what it is for, and what can be done on it. */
export function Page({
  title,
  about,
  actions,
  children,
}: Held & { readonly title: string; readonly about?: ReactNode; readonly actions?: ReactNode }) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className={style.page}>
      <header className={style.head}>
        <div>
          <h1>{title}</h1>
          {about && <p>{about}</p>}
        </div>
        {actions && <div className={style.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export const Card = ({ title, children }: Held & { readonly title?: string }) => (
  <section className={style.card}>
    {title && <h2>{title}</h2>}
    {children}
  </section>
);
export const Stack = ({ children }: Held) => <div className={style.stack}>{children}</div>;
export const Row = ({ children }: Held) => <div className={style.row}>{children}</div>;

export const Badge = ({ tone = 'plain', children }: Held & { readonly tone?: Tone }) => (
  <span className={classes(style.badge, tone !== 'plain' && style[tone])}>{children}</span>
);

/** A sentence to be read now, or paragraphs of them. A screen reader says it when it appears; it leaves out the action below it. */
export const Notice = ({
  tone = 'plain',
  action,
  children,
}: Held & { readonly tone?: Tone; readonly action?: ReactNode }) => (
  <div className={classes(style.notice, tone !== 'plain' && style[tone])}>
    <div className={style.said} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
    {action}
  </div>
);

type Pairs = readonly (readonly [name: string, value: ReactNode])[];

/** Names and values, in pairs; or as an object, whose values need no keys of React. */
export const Facts = ({ facts }: { readonly facts: Pairs | Readonly<Record<string, ReactNode>> }) => (
  <dl className={style.facts}>
    {(isPairs(facts) ? facts : Object.entries(facts)).map(([name, value]) => (
      <div key={name} className={style.pair}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

const isPairs = (facts: Pairs | Readonly<Record<string, ReactNode>>): facts is Pairs => Array.isArray(facts);
