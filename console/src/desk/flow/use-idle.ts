import { useEffect, useRef, useState } from 'react';

/** What a touch makes disappear must not let its click fall on what is below. */
const AFTER_CLICK_MS = 300;

/** Calls when somebody has touched the screen or a key. */
export function onTouch(call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(call, AFTER_CLICK_MS);
  };
  addEventListener('pointerup', later, { capture: true });
  addEventListener('keyup', later, { capture: true });
  return () => {
    clearTimeout(timer);
    removeEventListener('pointerup', later, { capture: true });
    removeEventListener('keyup', later, { capture: true });
  };
}

/** Measures time that also passes while the tablet sleeps, which only the clock shows, and when somebody sets the clock back. */
function stopwatch(): () => number {
  const [date, now] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - date, performance.now() - now);
}

/**
 * The seconds until nobody is here any more, and then calls `onIdle`. They begin again with each touch and whenever `key` changes,
 * such as when a phone has done something. They also pass while the tablet sleeps.
 */
export function useIdle(seconds: number, key: string, onIdle: () => void): number {
  const call = useRef(onIdle);
  call.current = onIdle;
  const [left, setLeft] = useState(seconds);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another `key` begins again
  useEffect(() => {
    let passedMs = stopwatch();
    const begin = () => {
      passedMs = stopwatch();
      setLeft(seconds);
    };
    const tick = () => {
      const now = Math.ceil(seconds - passedMs() / 1000);
      setLeft(Math.max(0, now));
      if (now > 0) return;
      begin();
      call.current();
    };
    begin();
    const timer = setInterval(tick, 500);
    // A tablet that wakes up shows nothing of the person before.
    document.addEventListener('visibilitychange', tick);
    const stop = onTouch(begin);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
      stop();
    };
  }, [seconds, key]);
  return left;
}
