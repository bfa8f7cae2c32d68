import { createContext, useContext, useEffect, useState } from 'react';

/** The clock for countdowns. The device's clock may be wrong by minutes, so pages provide the service's time if they know it. */
export const Clock = createContext<() => number>(Date.now);

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the reader's time zone. Without `exact`, only the tooltip includes the seconds. */
export function Time({ at, exact = false }: { readonly at: string | null; readonly exact?: boolean }) {
  if (at === null) return <span>never</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={FULL.format(date)}>
      {(exact ? FULL : SHORT).format(date)}
    </time>
  );
}

const AGO = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const UNITS = [
  ['minute', 60],
  ['hour', 60 * 60],
  ['day', 24 * 60 * 60],
] as const;
const WEEK_S = 7 * 24 * 60 * 60;

/** How long ago something happened, up to a week, such as `2 min ago`. The tooltip has the exact time. */
export function Ago({ at }: { readonly at: string }) {
  const now = useContext(Clock);
  const seconds = Math.max(0, (now() - Date.parse(at)) / 1000);
  if (seconds > WEEK_S) return <Time at={at} />;
  const [unit, length] = UNITS.findLast(([, size]) => seconds >= size) ?? UNITS[0];
  return (
    <time dateTime={at} title={FULL.format(new Date(at))}>
      {seconds < 60 ? 'just now' : AGO.format(-Math.floor(seconds / length), unit)}
    </time>
  );
}

/** The seconds until a time, updated every second, or 0 if it has passed. */
export function useCountdown(until: string): number {
  const now = useContext(Clock);
  const left = () => Math.max(0, Math.ceil((Date.parse(until) - now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `left` depends only on `until`
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}

/** The time left, such as `4:05`. Screen readers don't announce every second. */
export function Countdown({ until }: { readonly until: string }) {
  const seconds = useCountdown(until);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return <span role="timer">{seconds === 0 ? 'expired' : text}</span>;
}
