import { type ReactNode, useEffect } from 'react';
import { classes } from './classes';
import { Row } from './stack';
import style from './surface.module.css';

export type Tone = 'plain' | 'good' | 'warn' | 'bad';
interface WithChildren {
  readonly children: ReactNode;
}

/** A page with its title, which is also the tab's, its description and its actions. */
export function Page({
  title,
  about,
  actions,
  children,
}: WithChildren & { readonly title: string; readonly about?: ReactNode; readonly actions?: ReactNode }) {
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
        {actions && <Row>{actions}</Row>}
      </header>
      {children}
    </div>
  );
}

export const Badge = ({ tone = 'plain', children }: WithChildren & { readonly tone?: Tone }) => (
  <span className={classes(style.badge, tone !== 'plain' && style[tone])}>{children}</span>
);

/** A record's state. The normal one is plain text, so that only exceptions stand out. */
export const StatusTag = ({ tone, children }: WithChildren & { readonly tone: Tone }) =>
  tone === 'good' ? <span>{children}</span> : <Badge tone={tone}>{children}</Badge>;

/** An important message. Screen readers announce it when it appears, without the action below it. */
export const Notice = ({
  tone = 'plain',
  action,
  children,
}: WithChildren & { readonly tone?: Tone; readonly action?: ReactNode }) => (
  <div className={classes(style.notice, tone !== 'plain' && style[tone])}>
    <div className={style.message} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
    {action}
  </div>
);

type Pairs = readonly (readonly [name: string, value: ReactNode])[];

/** A list of names and values, as pairs or as an object. The values of an object need no React keys. */
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
