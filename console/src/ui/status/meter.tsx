import { useId } from 'react';
import { formatNumber } from '../numbers';
import style from './meter.module.css';

/** How much of a limit is used, as a bar and in words. It warns from 80 % and is full at the limit. */
export function Meter({
  label,
  used,
  limit,
}: {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
}) {
  const id = useId();
  const words = `${formatNumber(used)} of ${formatNumber(limit)}`;
  return (
    <div className={style.meter}>
      <div className={style.words}>
        <label htmlFor={id}>{label}</label>
        <strong>{words}</strong>
      </div>
      <meter
        id={id}
        className={style.bar}
        value={Math.min(used, limit)}
        max={limit}
        low={limit * 0.8}
        high={limit - 0.5}
        optimum={0}
        aria-valuetext={words}
      />
    </div>
  );
}
