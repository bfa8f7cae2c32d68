import { useState } from 'react';
import { Legend } from '../../ui/charts/figures';
import { HiddenTable } from '../../ui/charts/hidden-table';
import { Lines } from '../../ui/charts/lines';
import { Panel } from '../../ui/layout/panel';
import { formatNumber } from '../../ui/numbers';
import { Loading } from './loading';
import { groupsOf, type Point, RANGES, type Range } from './series';
import { labelEvery, labelsOf } from './time-labels';
import style from './usage.module.css';
import { useSeries, useShown } from './use-series';

const LINES = [{ name: 'Median' }, { name: '95th percentile', tone: 'muted' }] as const;

const ms = (value: number): string => `${formatNumber(value)} ms`;

/**
 * How long the calls of one endpoint took. Percentiles of several endpoints can't be added up, so the reader chooses one; at first,
 * it is the one with the most calls.
 */
export function LatencyChart() {
  const { range } = useShown();
  const query = useSeries('endpoint');
  const [chosen, setChosen] = useState<string>();
  const endpoints = groupsOf(query.data ?? []).filter(({ count }) => count > 0);
  const endpoint = endpoints.find(({ key }) => key === chosen)?.key ?? endpoints[0]?.key;
  return (
    <Panel title="Duration, ms" aria-label="Duration, ms" aside={<Legend parts={LINES} />}>
      <select
        className={style.select}
        aria-label="Endpoint"
        value={endpoint ?? ''}
        disabled={endpoint === undefined}
        onChange={(event) => setChosen(event.target.value)}
      >
        {endpoint === undefined && <option value="">No endpoint was called</option>}
        {endpoints.map(({ key }) => (
          <option key={key} value={key}>
            {key}
          </option>
        ))}
      </select>
      <Loading
        name="durations"
        size="chart"
        query={query}
        isEmpty={() => endpoint === undefined}
        empty={<p>The time that the service needs for a call appears here, without the network.</p>}
      >
        {(series) => <Chart points={series.filter(({ key }) => key === endpoint)} range={range} />}
      </Loading>
    </Panel>
  );
}

const Chart = ({ points, range }: { readonly points: readonly Point[]; readonly range: Range }) => (
  <>
    <Lines
      label={`Duration in the last ${RANGES[range]}, in milliseconds`}
      {...labelEvery(range)}
      lines={LINES}
      format={ms}
      points={points.map(({ at, p50, p95 }) => ({ ...labelsOf(range, Date.parse(at)), values: [p50, p95] }))}
    />
    <HiddenTable
      caption={`Duration in the last ${RANGES[range]}`}
      head={['From', ...LINES.map(({ name }) => name)]}
      rows={points
        .filter(({ count }) => count > 0)
        .map(({ at, p50, p95 }) => ({
          id: at,
          title: labelsOf(range, Date.parse(at)).title,
          values: [p50, p95].map((value) => (value === null ? '' : ms(value))),
        }))}
    />
  </>
);
