import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { Button } from '../../../ui/forms/button';
import { SelectField } from '../../../ui/forms/fields/field';
import { useChange } from '../../../ui/lists/use-change';
import { svc } from '../../operations/api';
import { t } from '../language/strings';
import style from './month-choice.module.css';
import { monthAfter, nameOfMonth } from './months';
import { monthAt } from './zoned';

/** How far back months can be chosen. An address can name any. */
const MONTHS = 48;

/** The month of the address, or the current one at the site. */
export function useMonth(timeZone: string): { readonly month: string; readonly current: string } {
  const current = monthAt(timeZone, svc.serverNow());
  const asked = useSearchParams()[0].get('month') ?? '';
  return { month: /^20\d\d-(0[1-9]|1[0-2])$/.test(asked) ? asked : current, current };
}

/** The choice of a month, with its neighbours one click away. */
export function MonthChoice({ month, current }: { readonly month: string; readonly current: string }) {
  const change = useChange();
  const listed = Array.from({ length: MONTHS }, (_, at) => monthAfter(current, -at));
  const months = listed.includes(month) ? listed : [month, ...listed];
  const go = (to: string) => change('month', to);
  return (
    <div className={style.month}>
      <SelectField label={t.months.label} value={month} onChange={({ target }) => go(target.value)}>
        {months.map((value) => (
          <option key={value} value={value}>
            {nameOfMonth(value)}
          </option>
        ))}
      </SelectField>
      <Button aria-label={t.months.before} onClick={() => go(monthAfter(month, -1))}>
        <ChevronLeft size={16} aria-hidden="true" />
      </Button>
      <Button
        aria-label={t.months.after}
        disabled={month >= current}
        onClick={() => go(monthAfter(month, 1))}
      >
        <ChevronRight size={16} aria-hidden="true" />
      </Button>
    </div>
  );
}
