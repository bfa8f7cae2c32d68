import { type PointerEvent, useState } from 'react';
import style from './bars.module.css';
import { ticksUpTo } from './ticks';

export interface Part {
  readonly name: string;
  readonly value: number;
  readonly tone?: 'bad';
}

export interface Bar {
  /** Below the bar, if there is room. */
  readonly label: string;
  /** What the bar shows, such as `Today, 09:00`. */
  readonly title: string;
  /** From the bottom up. All bars have the same parts. */
  readonly parts: readonly Part[];
}

const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact' });
const NUMBER = new Intl.NumberFormat();
const MAX_LABELS = 8;

const sumOf = ({ parts }: Bar): number => parts.reduce((sum, { value }) => sum + value, 0);

/** Stacked bars over time. Hidden from screen readers, which need a table with the same figures beside it. */
export function Bars({ bars }: { readonly bars: readonly Bar[] }) {
  const [pointed, setPointed] = useState<number>();
  const ticks = ticksUpTo(Math.max(1, ...bars.map(sumOf)));
  const top = ticks.at(-1) as number;
  const every = Math.ceil(bars.length / MAX_LABELS);
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - left) / width) * bars.length);
    setPointed(Math.min(bars.length - 1, Math.max(0, at)));
  };
  const shown = pointed === undefined ? undefined : bars[pointed];
  return (
    <div className={style.chart} aria-hidden="true">
      <div className={style.scale}>
        {ticks.toReversed().map((tick) => (
          <span key={tick}>{COMPACT.format(tick)}</span>
        ))}
      </div>
      <div className={style.plot} onPointerMove={point} onPointerLeave={() => setPointed(undefined)}>
        <svg viewBox={`0 0 ${bars.length} ${top}`} preserveAspectRatio="none" aria-hidden="true">
          {ticks.map((tick) => (
            <line key={tick} className={style.line} x1={0} x2={bars.length} y1={top - tick} y2={top - tick} />
          ))}
          {bars.map((bar, at) => (
            <Column
              key={bar.title}
              bar={bar}
              at={at}
              top={top}
              faint={pointed !== undefined && pointed !== at}
            />
          ))}
        </svg>
        {shown && pointed !== undefined && (
          <div className={style.tip} data-side={pointed < bars.length / 2 ? 'right' : 'left'}>
            <span>{shown.title}</span>
            {shown.parts.map(({ name, value, tone }) => (
              <span key={name} className={style.figure} data-tone={tone}>
                {name}
                <b>{NUMBER.format(value)}</b>
              </span>
            ))}
          </div>
        )}
      </div>
      <div className={style.labels}>
        {bars.map((bar, at) => (
          <span key={bar.title}>{at % every === 0 && <i>{bar.label}</i>}</span>
        ))}
      </div>
    </div>
  );
}

function Column({
  bar,
  at,
  top,
  faint,
}: {
  readonly bar: Bar;
  readonly at: number;
  readonly top: number;
  readonly faint: boolean;
}) {
  let below = 0;
  return (
    <g className={style.bar} data-faint={faint}>
      {bar.parts.map(({ name, value, tone }) => {
        below += value;
        return <rect key={name} data-tone={tone} x={at + 0.1} width={0.8} y={top - below} height={value} />;
      })}
    </g>
  );
}

/** What the colours mean. */
export const Legend = ({ parts }: { readonly parts: readonly Pick<Part, 'name' | 'tone'>[] }) => (
  <div className={style.legend} aria-hidden="true">
    {parts.map(({ name, tone }) => (
      <span key={name} className={style.figure} data-tone={tone}>
        {name}
      </span>
    ))}
  </div>
);
