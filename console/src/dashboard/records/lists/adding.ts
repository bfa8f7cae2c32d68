import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** The state of a link that opens the form for a new record on its page. */
export const ADDING = { isAdding: true };

/** Whether the form for a new record is open. A link opens it once, and not again when the reader comes back to the page. */
export function useAdding(): readonly [boolean, (isAdding: boolean) => void] {
  const { state, search } = useLocation();
  const navigate = useNavigate();
  const isAsked = (state as Partial<typeof ADDING> | null)?.isAdding === true;
  const [isAdding, setAdding] = useState(isAsked);
  useEffect(() => {
    if (!isAsked) return;
    setAdding(true);
    void navigate({ search }, { replace: true, state: null });
  }, [isAsked, search, navigate]);
  return [isAdding, setAdding];
}
