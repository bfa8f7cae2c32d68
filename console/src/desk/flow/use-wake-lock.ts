import { useEffect } from 'react';

/** Keeps the screen on while the page is visible, if the browser can. */
export function useWakeLock(): void {
  useEffect(() => {
    const request = () => {
      if (document.visibilityState === 'visible') void navigator.wakeLock?.request('screen').catch(() => {});
    };
    request();
    // The browser gives the lock back whenever the page is hidden.
    document.addEventListener('visibilitychange', request);
    return () => document.removeEventListener('visibilitychange', request);
  }, []);
}
