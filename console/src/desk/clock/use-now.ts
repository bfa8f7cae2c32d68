import { useContext, useEffect, useState } from 'react';
import { Clock } from '../../ui/lists/time';

/** The service's time in Unix milliseconds, every second and when the tablet wakes up. */
export function useNow(): number {
  const clock = useContext(Clock);
  const [now, setNow] = useState(clock);
  useEffect(() => {
    const tick = () => setNow(clock());
    const timer = setInterval(tick, 1000);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [clock]);
  return now;
}
