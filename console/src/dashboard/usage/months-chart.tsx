import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { type History, monthName, shortMonthName } from './months';
import style from './months-chart.module.css';

const TICK = { fill: 'var(--soft)', fontSize: 12 };
const TIP = {
  background: 'var(--raised)',
  border: '1px solid var(--line)',
  borderRadius: '0.5rem',
  color: 'var(--ink)',
};
const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact' });

/** The calls of each month, oldest first. Hidden from screen readers, which use the table with the same figures. */
export const MonthsChart = ({ history }: { readonly history: History }) => (
  <div className={style.chart} aria-hidden="true">
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={history.toReversed()} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="month"
          tickFormatter={shortMonthName}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
        />
        <YAxis
          width="auto"
          allowDecimals={false}
          tickFormatter={(calls: number) => COMPACT.format(calls)}
          tick={TICK}
          tickLine={false}
          axisLine={false}
        />
        <Tooltip
          cursor={{ fill: 'var(--hover)' }}
          contentStyle={TIP}
          itemStyle={{ color: 'var(--ink)' }}
          formatter={(calls) => Number(calls).toLocaleString()}
          labelFormatter={(month) => monthName(String(month))}
        />
        <Bar
          dataKey="used"
          name="Calls"
          fill="var(--accent)"
          radius={[4, 4, 0, 0]}
          maxBarSize={40}
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  </div>
);
