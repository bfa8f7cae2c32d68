import type { ReactNode } from 'react';
import { formatNumber } from '../numbers';
import style from './ranks.module.css';

export interface Rank {
  readonly id: string;
  readonly name: ReactNode;
  readonly value: number;
}

/** Horizontal bars with their names, the longest first. It is a table, so it needs no other for screen readers. */
export function Ranks({
  caption,
  head,
  ranks,
  tone,
  isLow = false,
}: {
  readonly caption: string;
  readonly head: readonly [name: string, value: string];
  readonly ranks: readonly Rank[];
  readonly tone?: 'bad' | undefined;
  /** Not as high as a chart of bars. */
  readonly isLow?: boolean;
}) {
  const most = Math.max(1, ...ranks.map(({ value }) => value));
  return (
    <div className={style.ranks} data-tone={tone} data-low={isLow}>
      {ranks.length === 0 ? (
        <p className={style.empty}>Nothing yet</p>
      ) : (
        <table aria-label={caption}>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">{head[0]}</th>
              <th scope="col">{head[1]}</th>
            </tr>
          </thead>
          <tbody>
            {ranks.map(({ id, name, value }) => (
              <tr key={id}>
                <th scope="row">
                  <div>{name}</div>
                  <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={(value / most) * 100} height={4} />
                  </svg>
                </th>
                <td>{formatNumber(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
