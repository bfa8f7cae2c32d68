import type { PointerEvent, ReactNode } from 'react';
import { classes } from '../layout/classes';
import tip from '../layout/tip.module.css';
import { Cursor } from './cursor';
import { type Figure, Figures, textOf } from './figures';
import style from './frame.module.css';

const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact' });
const MAX_LABELS = 8;

/** A chart over time: the scale at its left, the labels below, and the step that the pointer or the keyboard is on. */
export function Frame({
  label,
  ticks,
  labels,
  every = Math.ceil(labels.length / MAX_LABELS),
  figuresOf,
  pointed,
  onPoint,
  children,
}: {
  readonly label: string;
  readonly ticks: readonly number[];
  /** One for each step. */
  readonly labels: readonly { readonly label: string; readonly title: string }[];
  readonly every?: number | undefined;
  /** The figures of a step. */
  readonly figuresOf: (at: number) => readonly Figure[];
  readonly pointed: number | undefined;
  readonly onPoint: (at: number | undefined) => void;
  /** The drawing. */
  readonly children: ReactNode;
}) {
  const steps = labels.length;
  const read = pointed ?? steps - 1;
  const title = labels[read]?.title ?? '';
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - left) / width) * steps);
    onPoint(Math.min(steps - 1, Math.max(0, at)));
  };
  return (
    <div className={style.chart}>
      <div className={style.scale} aria-hidden="true">
        {ticks.toReversed().map((tick) => (
          <span key={tick}>{COMPACT.format(tick)}</span>
        ))}
      </div>
      <div className={style.plot} onPointerMove={point} onPointerLeave={() => onPoint(undefined)}>
        {children}
        <Cursor
          label={label}
          steps={steps}
          at={pointed}
          text={`${title}: ${textOf(figuresOf(read))}`}
          onMove={onPoint}
        />
        {pointed !== undefined && (
          <div
            className={classes(tip.tip, style.tip)}
            data-side={pointed < steps / 2 ? 'right' : 'left'}
            aria-hidden="true"
          >
            <span>{title}</span>
            <Figures of={figuresOf(pointed)} />
          </div>
        )}
      </div>
      <div className={style.labels} aria-hidden="true">
        {labels.map(({ title, label: text }, at) => (
          <span key={title}>
            {at % every === 0 && <i data-odd={(at / every) % 2 === 1 || undefined}>{text}</i>}
          </span>
        ))}
      </div>
    </div>
  );
}
