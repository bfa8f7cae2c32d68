import type { Punch } from '@svc/sdk';
import { useCallback, useEffect, useState } from 'react';
import { type Confirmation, confirmed, shownAt } from './confirmations';

/** What was confirmed in the last seconds, and what confirms one more. */
export function useConfirmations(): readonly [readonly Confirmation[], (punch: Punch) => void] {
  const [shown, setShown] = useState<readonly Confirmation[]>([]);
  const confirm = useCallback(
    (punch: Punch) => setShown((before) => confirmed(before, punch, performance.now())),
    [],
  );
  useEffect(() => {
    const oldest = shown.at(-1);
    if (oldest === undefined) return;
    const remove = () => setShown((before) => shownAt(before, performance.now()));
    const timer = setTimeout(remove, Math.max(0, oldest.until - performance.now()));
    return () => clearTimeout(timer);
  }, [shown]);
  return [shown, confirm];
}
