import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { formatNumber, formatPercent } from '../../ui/numbers';
import type { Group } from './series';
import style from './usage.module.css';

/** As many as fit the height of the skeleton. */
const MAX_ROWS = 6;

/** Groups with their share of the calls as a bar. */
export function SharesTable({
  name,
  of,
  groups,
  children,
}: {
  readonly name: string;
  /** The heading of the first column. */
  readonly of: string;
  readonly groups: readonly Group[];
  /** How a group is named. */
  readonly children: (key: string) => ReactNode;
}) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <table className={style.groups} aria-label={name}>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">Calls</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {groups.slice(0, isWhole ? undefined : MAX_ROWS).map(({ key, count, share }) => (
            <tr key={key}>
              <td>
                <div>{children(key)}</div>
                <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={share * 100} height={4} />
                </svg>
              </td>
              <td>{formatNumber(count)}</td>
              <td>{formatPercent(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isWhole && groups.length > MAX_ROWS && (
        <div>
          <Button small look="quiet" onClick={() => setWhole(true)}>
            Show all {groups.length}
          </Button>
        </div>
      )}
    </>
  );
}
