import type { MouseEvent, ReactNode } from 'react';
import tip from '../floating/tip.module.css';
import { classes } from '../layout/classes';
import { formatCompact } from '../numbers';
import { Cursor } from './cursor';
import { type Figure, Figures, textOf } from './figures';
import style from './frame.module.css';

const MAX_LABELS = 8;
/** They have room on the narrowest screen. */
const FEW_LABELS = 4;

/** A chart over time: the scale at its left, the labels below, and the step that the pointer or the keyboard is on. */
export function Frame({
  label,
  ticks,
  labels,
  every = Math.ceil(labels.length / MAX_LABELS),
  isEmpty = false,
  isLow = false,
  onChoose,
  figuresOf,
  pointed,
  onPoint,
  children,
}: {
  readonly label: string;
  readonly ticks: readonly number[];
  /** One for each step. An empty label is left out. */
  readonly labels: readonly { readonly label: string; readonly title: string }[];
  readonly every?: number | undefined;
  /** Nothing is drawn yet, and the chart says so. */
  readonly isEmpty?: boolean;
  readonly isLow?: boolean;
  /** A step is clicked, or Enter is pressed on it. */
  readonly onChoose?: ((at: number) => void) | undefined;
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
  const stepAt = (event: MouseEvent<HTMLDivElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - left) / width) * steps);
    return Math.min(steps - 1, Math.max(0, at));
  };
  const shown = labels.flatMap(({ label: text }, at) => (at % every === 0 && text !== '' ? [at] : []));
  return (
    <div className={style.chart} data-low={isLow}>
      <div className={style.scale} aria-hidden="true">
        {ticks.toReversed().map((tick) => (
          <span key={tick}>{formatCompact(tick)}</span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the cursor in it does the same by keyboard */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the cursor in it does the same by keyboard */}
      <div
        className={style.plot}
        data-chooses={onChoose !== undefined}
        onPointerMove={(event) => onPoint(stepAt(event))}
        onPointerLeave={() => onPoint(undefined)}
        onClick={onChoose && ((event) => onChoose(stepAt(event)))}
      >
        {children}
        {isEmpty && <p className={style.empty}>Nothing yet</p>}
        <Cursor
          label={label}
          steps={steps}
          at={pointed}
          text={`${title}: ${textOf(figuresOf(read))}`}
          onMove={onPoint}
          onChoose={onChoose}
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
            {shown.includes(at) && (
              <i data-odd={(shown.length > FEW_LABELS && shown.indexOf(at) % 2 === 1) || undefined}>{text}</i>
            )}
          </span>
        ))}
      </div>
    </div>
  );
}
