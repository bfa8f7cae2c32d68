import { Rows } from '../../ui/lists/rows';
import style from './home.module.css';

/** Rows that are being loaded, as high as the loaded ones, so that nothing below them moves. */
export const WaitingRows = ({
  count,
  cells,
  className,
}: {
  readonly count: number;
  /** How many cells a row has. */
  readonly cells: number;
  /** Of the list that follows. */
  readonly className: string | undefined;
}) => (
  <Rows className={className} aria-hidden="true">
    {Array.from({ length: count }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
      <li key={row} className={style.waiting}>
        {Array.from({ length: cells }, (_, cell) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the cells are all the same
          <span key={cell}>{'\u00a0'}</span>
        ))}
      </li>
    ))}
  </Rows>
);
