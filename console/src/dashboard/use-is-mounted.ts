import { type RefObject, useEffect, useRef } from 'react';

/** Whether what started a request is still on the page when its response arrives. */
export function useIsMounted(): RefObject<boolean> {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return mounted;
}
