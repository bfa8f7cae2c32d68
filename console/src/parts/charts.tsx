import { Bars } from '../ui/charts/bars';
import { Legend } from '../ui/charts/figures';
import { Lines } from '../ui/charts/lines';
import { Sparkline } from '../ui/charts/sparkline';
import { Row } from '../ui/layout/stack';
import { Group, Shown } from './shown';

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  label: `${hour}:00`,
  title: `Today, ${hour}:00`,
  calls: Math.round(60 + 50 * Math.sin(hour / 4)),
}));

export const Charts = () => (
  <Group title="Charts">
    <Shown as="Bars">
      <Bars
        label="Calls"
        bars={HOURS.map(({ label, title, calls }, hour) => ({
          label,
          title,
          parts: [
            { name: 'Succeeded', value: calls },
            { name: 'Client errors', value: hour % 7, tone: 'warn' },
            { name: 'Server errors', value: hour === 13 ? 20 : 0, tone: 'bad' },
          ],
        }))}
      />
      <Legend
        parts={[
          { name: 'Succeeded' },
          { name: 'Client errors', tone: 'warn' },
          { name: 'Server errors', tone: 'bad' },
        ]}
      />
    </Shown>
    <Shown as="Lines, with a gap">
      <Lines
        label="Duration"
        lines={[{ name: '95th percentile', tone: 'muted' }, { name: 'Median' }]}
        points={HOURS.map(({ label, title, calls }, hour) => ({
          label,
          title,
          values: hour > 8 && hour < 12 ? [null, null] : [calls, calls / 2],
        }))}
        format={(value) => `${value} ms`}
      />
      <Legend parts={[{ name: '95th percentile', tone: 'muted' }, { name: 'Median' }]} />
    </Shown>
    <Shown as="Sparklines">
      <Row>
        <Sparkline values={HOURS.map(({ calls }) => calls)} />
        <Sparkline values={HOURS.map(({ calls }) => calls)} tone="bad" />
        <Sparkline values={[1, 1, 1]} />
      </Row>
    </Shown>
  </Group>
);
