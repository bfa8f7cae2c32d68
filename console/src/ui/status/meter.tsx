import { useId } from 'react';
import style from './meter.module.css';

const NUMBER = new Intl.NumberFormat();

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
  const words = `${NUMBER.format(used)} of ${NUMBER.format(limit)}`;
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
