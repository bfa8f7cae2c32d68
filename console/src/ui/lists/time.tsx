import { createContext, useContext, useEffect, useState } from 'react';

/** What time it is where deadlines are kept. This device's clock may be minutes off: a page that knows the service's gives that. */
export const Clock = createContext<() => number>(Date.now);

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A moment in the reader's own time zone, to the second when pointed at. */
export function Time({ at }: { readonly at: string | null }) {
  if (at === null) return <span>never</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={FULL.format(date)}>
      {SHORT.format(date)}
    </time>
  );
}

/** Seconds until a moment, told anew each second; 0 once it is past. */
export function useCountdown(until: string): number {
  const now = useContext(Clock);
  const left = () => Math.max(0, Math.ceil((Date.parse(until) - now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `left` is of `until` alone
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}

/** `4:05` until a moment. A screen reader is not told every second. */
export function Countdown({ until }: { readonly until: string }) {
  const seconds = useCountdown(until);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return <span role="timer">{seconds === 0 ? 'ran out' : text}</span>;
}
