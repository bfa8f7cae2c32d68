import { useState } from 'react';
import { formatNumber } from '../numbers';
import style from './bars.module.css';
import { Frame } from './frame';
import frame from './frame.module.css';
import { ticksUpTo } from './ticks';

export interface Part {
  readonly name: string;
  readonly value: number;
  readonly tone?: 'warn' | 'bad';
}

export interface Bar {
  /** Below the bar, if there is room. */
  readonly label: string;
  /** What the bar shows, such as `Today, 09:00`. */
  readonly title: string;
  /** From the bottom up. All bars have the same parts. */
  readonly parts: readonly Part[];
}

const sumOf = ({ parts }: Bar): number => parts.reduce((sum, { value }) => sum + value, 0);

/** Stacked bars over time. The pointer and the arrow keys show the figures of a bar. Screen readers also need a table beside it. */
export function Bars({
  label,
  bars,
  every,
  chosen,
  onChoose,
  isLow = false,
}: {
  /** What the chart shows, for screen readers. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** Each how many bars have a label. By default, as many as there is room for. */
  readonly every?: number;
  /** The bar that the page shows more about. */
  readonly chosen?: number | undefined;
  readonly onChoose?: (at: number) => void;
  /** A strip: a third as high, with the largest number alone. */
  readonly isLow?: boolean;
}) {
  const [pointed, setPointed] = useState<number>();
  const scale = ticksUpTo(Math.max(1, ...bars.map(sumOf)));
  const top = scale.at(-1) as number;
  const ticks = isLow ? [0, top] : scale;
  const bright = pointed ?? chosen;
  return (
    <Frame
      label={label}
      isEmpty={bars.every((bar) => sumOf(bar) === 0)}
      onChoose={onChoose}
      isLow={isLow}
      ticks={ticks}
      labels={bars}
      every={every}
      figuresOf={(at) =>
        (bars[at]?.parts ?? []).map(({ name, tone, value }) => ({ name, tone, text: formatNumber(value) }))
      }
      pointed={pointed}
      onPoint={setPointed}
    >
      <svg viewBox={`0 0 ${bars.length} ${top}`} preserveAspectRatio="none" aria-hidden="true">
        {ticks.map((tick) => (
          <line key={tick} className={frame.line} x1={0} x2={bars.length} y1={top - tick} y2={top - tick} />
        ))}
        {bars.map((bar, at) => (
          <Column key={bar.title} bar={bar} at={at} top={top} faint={bright !== undefined && bright !== at} />
        ))}
      </svg>
    </Frame>
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
