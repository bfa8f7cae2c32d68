import { type ReactNode, useEffect, useState } from 'react';
import style from './more.module.css';

/** Fields that are rarely needed. They are hidden until the reader opens them, or `open` says that one needs attention. */
export function More({
  title,
  open,
  children,
}: {
  readonly title: string;
  readonly open: boolean;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(open);
  useEffect(() => {
    if (open) setOpen(true);
  }, [open]);
  return (
    <details className={style.more} open={isOpen} onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>{title}</summary>
      <div className={style.inside}>{children}</div>
    </details>
  );
}
