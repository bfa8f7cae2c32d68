import { Rows } from '../../ui/lists/rows';
import style from './home.module.css';

/** Rows that are being loaded, as high as the loaded ones, so that nothing below them moves. */
export const WaitingRows = ({
  count,
  className,
}: {
  readonly count: number;
  /** Of the list that follows. */
  readonly className: string | undefined;
}) => (
  <Rows className={className} aria-hidden="true">
    {Array.from({ length: count }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
      <li key={row} className={style.waiting}>
        <span />
      </li>
    ))}
  </Rows>
);
