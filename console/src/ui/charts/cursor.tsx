import style from './cursor.module.css';

/** Reads a chart step by step with the arrow keys, Home and End. Screen readers announce the step with its figures. */
export const Cursor = ({
  label,
  steps,
  at,
  text,
  onMove,
  onChoose,
}: {
  readonly label: string;
  readonly steps: number;
  /** The step that is shown, if any. */
  readonly at: number | undefined;
  /** Its figures. */
  readonly text: string;
  readonly onMove: (at: number | undefined) => void;
  readonly onChoose?: ((at: number) => void) | undefined;
}) => (
  <input
    type="range"
    className={style.cursor}
    aria-label={label}
    aria-valuetext={text}
    min={0}
    max={Math.max(0, steps - 1)}
    value={at ?? Math.max(0, steps - 1)}
    onChange={(event) => onMove(Number(event.target.value))}
    onKeyDown={(event) => {
      if (event.key === 'Enter' && at !== undefined) onChoose?.(at);
    }}
    onFocus={() => onMove(at ?? steps - 1)}
    onBlur={() => onMove(undefined)}
  />
);
