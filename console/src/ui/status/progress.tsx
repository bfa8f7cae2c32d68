import type { ReactNode } from 'react';
import style from './progress.module.css';

/** How far a long piece of work has come, as a bar and in words. */
export const Progress = ({
  label,
  value,
  max,
  children,
}: {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly children: ReactNode;
}) => (
  <div className={style.progress}>
    <progress aria-label={label} value={value} max={Math.max(1, max)} />
    <span>{children}</span>
  </div>
);
