import style from './figures.module.css';

export interface Figure {
  readonly name: string;
  readonly tone?: 'warn' | 'bad' | 'muted' | undefined;
  /** The value with its unit. */
  readonly text: string;
}

/** Names and values, with the colours of a chart. */
export const Figures = ({ of }: { readonly of: readonly Figure[] }) =>
  of.map(({ name, tone, text }) => (
    <span key={name} className={style.figure} data-tone={tone}>
      <span className={style.name}>{name}</span>
      <b>{text}</b>
    </span>
  ));

/** For screen readers. */
export const textOf = (figures: readonly Figure[]): string =>
  figures.map(({ name, text }) => `${name} ${text}`).join(', ');

/** What the colours mean. */
export const Legend = ({ parts }: { readonly parts: readonly Omit<Figure, 'text'>[] }) => (
  <div className={style.legend} aria-hidden="true">
    {parts.map(({ name, tone }) => (
      <span key={name} className={style.figure} data-tone={tone}>
        {name}
      </span>
    ))}
  </div>
);
