import { Bars } from '../../../ui/charts/bars';
import { type History, monthName, shortMonthName } from './months';

/** The calls of each month, oldest first. */
export const MonthsChart = ({ history }: { readonly history: History }) => (
  <Bars
    label="Calls per month"
    bars={history.toReversed().map(({ month, used }) => ({
      label: shortMonthName(month),
      title: monthName(month),
      parts: [{ name: 'Calls', value: used }],
    }))}
  />
);
