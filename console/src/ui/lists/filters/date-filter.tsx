import { Calendar as CalendarIcon, Plus, X } from 'lucide-react';
import { useContext, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Calendar } from '../../dates/calendar';
import { readDay, textOfDay } from '../../dates/days';
import { isPeriod, PERIODS, type Period } from '../../dates/periods';
import { Popover } from '../../floating/popover';
import { classes } from '../../layout/classes';
import { WordsContext } from '../../words';
import { Clock } from '../time';
import { useChanges } from '../use-change';
import style from './date-filter.module.css';
import filters from './filters.module.css';

interface Days {
  readonly period: Period | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

function useDays(): Days {
  const [search] = useSearchParams();
  const period = search.get('period');
  return {
    period: isPeriod(period) ? period : undefined,
    from: readDay(search.get('from')),
    to: readDay(search.get('to')),
  };
}

/** Restricts a list to a period, or to days of a calendar. */
export function DateFilter() {
  const days = useDays();
  const { locale } = useContext(WordsContext);
  const change = useChanges();
  const [isOpen, setOpen] = useState(false);
  const chosen = textOf(days, locale);
  const clear = () => change({ period: '', from: '', to: '' });
  return (
    <div className={classes(filters.pick, chosen === undefined && filters.unset)}>
      <Popover
        label="Date"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <button type="button">
            {chosen === undefined ? (
              <Plus size={14} aria-hidden="true" />
            ) : (
              <CalendarIcon size={14} aria-hidden="true" />
            )}
            <span>Date</span>
            {chosen !== undefined && <strong>{chosen}</strong>}
          </button>
        }
      >
        <Choices days={days} onDone={() => setOpen(false)} />
      </Popover>
      {chosen !== undefined && (
        <button type="button" className={filters.remove} aria-label="Remove the filter Date" onClick={clear}>
          <X size={14} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}

/** A range of days has only the orders by time (`BY_NAME`). */
const useKeptSort = () => (useSearchParams()[0].get('sort') === 'oldest' ? 'oldest' : '');

function Choices({ days, onDone }: { readonly days: Days; readonly onDone: () => void }) {
  const change = useChanges();
  const [isCustom, setCustom] = useState(days.from !== undefined || days.to !== undefined);
  const sort = useKeptSort();
  const choose = (period: Period) => {
    change({ period, from: '', to: '', sort });
    onDone();
  };
  return (
    <div className={style.choices}>
      <div className={style.periods}>
        {(Object.keys(PERIODS) as Period[]).map((period) => (
          <button
            key={period}
            type="button"
            aria-pressed={days.period === period}
            onClick={() => choose(period)}
          >
            {PERIODS[period]}
          </button>
        ))}
        <button type="button" aria-expanded={isCustom} onClick={() => setCustom(!isCustom)}>
          Custom
        </button>
      </div>
      {isCustom && <CustomDays days={days} onDone={onDone} />}
    </div>
  );
}

/** The first and the last day, one after the other. The second click completes the range in either order. */
function CustomDays({ days, onDone }: { readonly days: Days; readonly onDone: () => void }) {
  const now = useContext(Clock);
  const change = useChanges();
  const sort = useKeptSort();
  const [first, setFirst] = useState<Date>();
  const choose = (day: Date) => {
    if (first === undefined) return setFirst(day);
    const [from, to] = day < first ? [day, first] : [first, day];
    change({ period: '', from: textOfDay(from), to: textOfDay(to), sort });
    onDone();
  };
  return (
    <div className={style.custom}>
      <p role="status">{first === undefined ? 'Choose the first day.' : 'Choose the last day.'}</p>
      <Calendar
        from={first ?? days.from}
        to={first === undefined ? days.to : undefined}
        now={new Date(now())}
        onChoose={choose}
      />
    </div>
  );
}

function textOf({ period, from, to }: Days, locale: string | undefined): string | undefined {
  if (period !== undefined) return PERIODS[period];
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  if (from !== undefined && to !== undefined) return format.formatRange(from, to);
  if (from !== undefined) return `From ${format.format(from)}`;
  return to && `Until ${format.format(to)}`;
}
