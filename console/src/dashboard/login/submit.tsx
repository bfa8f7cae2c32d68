import type { ReactNode } from 'react';
import { useWorks } from '../../light/use-works';
import { Button } from '../../ui/forms/button';
import style from './entrance.module.css';

/** Sends the form. Before the page works, the browser would send it to the page itself. */
export function Submit({ busy, children }: { readonly busy: boolean; readonly children: ReactNode }) {
  const works = useWorks();
  return (
    <Button className={style.submit} look="primary" type="submit" busy={busy} disabled={!works}>
      {children}
    </Button>
  );
}
