import type { ReactNode } from 'react';
import style from './day-bands.module.css';

export interface Band {
  /** Shares of the day, from 0 to 1. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A row for each name with its times of one day. It is a table, so it needs no other for screen readers. */
export const DayBands = ({
  caption,
  head,
  rows,
  ticks,
}: {
  readonly caption: string;
  readonly head: readonly [name: string, times: string];
  readonly rows: readonly {
    readonly id: string;
    readonly name: ReactNode;
    readonly bands: readonly Band[];
  }[];
  /** Hours of the day with their share of it. */
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
}) => (
  <div className={style.day}>
    <table aria-label={caption}>
      <colgroup>
        <col className={style.names} />
        <col />
      </colgroup>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{head[0]}</th>
          <th scope="col">{head[1]}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, bands }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            <td title={textOf(bands)}>
              <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
                {ticks.map(({ at }) => (
                  <line key={at} x1={at * 1000} x2={at * 1000} y1={0} y2={10} />
                ))}
                {bands.map(({ from, to }) => (
                  <rect key={from} x={from * 1000} y={2} width={Math.max(3, (to - from) * 1000)} height={6} />
                ))}
              </svg>
              <span className="visually-hidden">{textOf(bands)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <div className={style.ticks} aria-hidden="true">
      {ticks.map(({ at, label }) => (
        <span key={at} style={{ insetInlineStart: `${at * 100}%` }}>
          {label}
        </span>
      ))}
    </div>
  </div>
);

const textOf = (bands: readonly Band[]): string => bands.map(({ text }) => text).join(', ');
