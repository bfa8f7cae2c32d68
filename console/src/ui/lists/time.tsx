import { createContext, useContext, useEffect, useState } from 'react';
import { WordsContext } from '../words';
import { Absent } from './value';

/** The clock for countdowns. The device's clock may be wrong by minutes, so pages provide the service's time if they know it. */
export const Clock = createContext<() => number>(Date.now);

const formatsOf = (locale: string | undefined) => ({
  full: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
  short: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
  time: new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }),
  ago: new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }),
});
/** Created once, because that is slow. A page has one locale. */
let formats: { readonly locale: string | undefined; readonly made: ReturnType<typeof formatsOf> } | undefined;

function useFormats() {
  const { locale } = useContext(WordsContext);
  if (formats === undefined || formats.locale !== locale) formats = { locale, made: formatsOf(locale) };
  return formats.made;
}

/** A time in the reader's time zone. Without `exact`, only the tooltip includes the seconds. */
export function Time({ at, exact = false }: { readonly at: string | null; readonly exact?: boolean }) {
  const { full, short } = useFormats();
  const { never } = useContext(WordsContext);
  if (at === null) return <Absent text={never} />;
  const date = new Date(at);
  return (
    <time dateTime={at} title={full.format(date)}>
      {(exact ? full : short).format(date)}
    </time>
  );
}

/** The time of a day that is named above it, with seconds. */
export function TimeOfDay({ at }: { readonly at: string }) {
  const { full, time } = useFormats();
  const date = new Date(at);
  return (
    <time dateTime={at} title={full.format(date)}>
      {time.format(date)}
    </time>
  );
}

const UNITS = [
  ['minute', 60],
  ['hour', 60 * 60],
  ['day', 24 * 60 * 60],
] as const;
const WEEK_S = 7 * 24 * 60 * 60;

/** How long ago something happened, up to a week, such as `2 min ago`. The tooltip has the exact time. */
export function Ago({ at }: { readonly at: string }) {
  const now = useContext(Clock);
  const { full, ago } = useFormats();
  const { justNow } = useContext(WordsContext);
  const seconds = Math.max(0, (now() - Date.parse(at)) / 1000);
  if (seconds > WEEK_S) return <Time at={at} />;
  const [unit, length] = UNITS.findLast(([, size]) => seconds >= size) ?? UNITS[0];
  return (
    <time dateTime={at} title={full.format(new Date(at))}>
      {seconds < 60 ? justNow : ago.format(-Math.floor(seconds / length), unit)}
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
  const { expired } = useContext(WordsContext);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return <span role="timer">{seconds === 0 ? expired : text}</span>;
}
