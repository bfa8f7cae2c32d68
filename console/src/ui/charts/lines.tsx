import { useState } from 'react';
import { Frame } from './frame';
import frame from './frame.module.css';
import style from './lines.module.css';
import { ticksUpTo } from './ticks';

export interface LinePoint {
  readonly label: string;
  readonly title: string;
  /** One for each line; null where it has a gap. */
  readonly values: readonly (number | null)[];
}

export interface Line {
  readonly name: string;
  readonly tone?: 'muted';
}

/** Lines over time, with gaps where there is no value. Like `Bars`, it needs a table beside it for screen readers. */
export function Lines({
  label,
  lines,
  points,
  format,
  every,
}: {
  readonly label: string;
  readonly lines: readonly Line[];
  readonly points: readonly LinePoint[];
  /** A value with its unit. */
  readonly format: (value: number) => string;
  readonly every?: number;
}) {
  const [pointed, setPointed] = useState<number>();
  const ticks = ticksUpTo(Math.max(1, ...points.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const top = ticks.at(-1) as number;
  return (
    <Frame
      label={label}
      ticks={ticks}
      labels={points}
      every={every}
      figuresOf={(at) =>
        lines.map(({ name, tone }, line) => {
          const value = points[at]?.values[line] ?? null;
          return { name, tone, text: value === null ? 'no calls' : format(value) };
        })
      }
      pointed={pointed}
      onPoint={setPointed}
    >
      <svg viewBox={`0 0 ${points.length} ${top}`} preserveAspectRatio="none" aria-hidden="true">
        {ticks.map((tick) => (
          <line key={tick} className={frame.line} x1={0} x2={points.length} y1={top - tick} y2={top - tick} />
        ))}
        {pointed !== undefined && (
          <line className={style.cross} x1={pointed + 0.5} x2={pointed + 0.5} y1={0} y2={top} />
        )}
        {lines.map(({ name, tone }, line) => {
          const values = points.map((point) => point.values[line] ?? null);
          return (
            <g key={name} data-tone={tone}>
              <path className={style.stroke} d={pathOf(values, top)} />
              <path className={style.dot} d={dotsOf(values, top)} />
            </g>
          );
        })}
      </svg>
    </Frame>
  );
}

/** A line through the middle of each step. */
const pathOf = (values: readonly (number | null)[], top: number): string =>
  values
    .map((value, at) =>
      value === null ? '' : `${(values[at - 1] ?? null) === null ? 'M' : 'L'}${at + 0.5} ${top - value}`,
    )
    .join('');

/** Values between two gaps, which no line shows: lines without length, whose round ends make dots. */
const dotsOf = (values: readonly (number | null)[], top: number): string =>
  values
    .map((value, at) =>
      value === null || (values[at - 1] ?? null) !== null || (values[at + 1] ?? null) !== null
        ? ''
        : `M${at + 0.5} ${top - value}h0`,
    )
    .join('');
