import { Bars } from '../../ui/charts/bars';
import { HiddenTable } from '../../ui/charts/hidden-table';
import { ButtonLink } from '../../ui/forms/button-link';
import { Panel } from '../../ui/layout/panel';
import { formatNumber, formatPercent } from '../../ui/numbers';
import { pageIn } from '../paths';
import { Loading } from './loading';
import { type Outcomes, outcomesOf, RANGES, type Range } from './series';
import { labelEvery, labelsOf } from './time-labels';
import style from './usage.module.css';
import { useSeries, useShown } from './use-series';

const CLASSES = [
  { name: 'Succeeded', of: 'succeeded' },
  { name: 'Client errors', of: 'rejected', tone: 'warn' },
  { name: 'Server errors', of: 'failed', tone: 'bad' },
] as const;

/** The calls of the range by outcome: how many, their shares, and over time. */
export function OutcomesChart() {
  const { range } = useShown();
  const query = useSeries('status');
  const steps = outcomesOf(query.data ?? []);
  const total = sumOf(steps);
  return (
    <Panel title="Calls" aside={<strong className={style.total}>{query.data && formatNumber(total)}</strong>}>
      <Shares steps={steps} total={total} isKnown={query.data !== undefined} />
      <Loading
        name="the calls"
        size="chart"
        query={query}
        isEmpty={() => total === 0}
        empty={
          <>
            <p>No calls in the last {RANGES[range]}.</p>
            <ButtonLink small to={pageIn('test', 'playground')}>
              Try an endpoint
            </ButtonLink>
          </>
        }
      >
        {() => <Chart steps={steps} range={range} />}
      </Loading>
    </Panel>
  );
}

const sumOf = (steps: readonly Outcomes[], of?: (typeof CLASSES)[number]['of']): number =>
  steps.reduce(
    (sum, step) => sum + (of === undefined ? step.succeeded + step.rejected + step.failed : step[of]),
    0,
  );

/** Also the legend of the chart. */
const Shares = ({
  steps,
  total,
  isKnown,
}: {
  readonly steps: readonly Outcomes[];
  readonly total: number;
  readonly isKnown: boolean;
}) => (
  <dl className={style.shares}>
    {CLASSES.map((outcome) => {
      const count = sumOf(steps, outcome.of);
      return (
        <div key={outcome.name} data-tone={'tone' in outcome ? outcome.tone : undefined}>
          <dt>{outcome.name}</dt>
          <dd>
            {total === 0 ? '–' : formatPercent(count / total)}
            <span>{isKnown ? formatNumber(count) : ''}</span>
          </dd>
        </div>
      );
    })}
  </dl>
);

const Chart = ({ steps, range }: { readonly steps: readonly Outcomes[]; readonly range: Range }) => (
  <>
    <Bars
      label={`API calls of the last ${RANGES[range]}`}
      {...labelEvery(range)}
      bars={steps.map((step) => ({
        ...labelsOf(range, step.at),
        parts: CLASSES.toReversed().map(({ of, ...outcome }) => ({ ...outcome, value: step[of] })),
      }))}
    />
    <HiddenTable
      caption={`API calls of the last ${RANGES[range]}`}
      head={['From', ...CLASSES.map(({ name }) => name)]}
      rows={steps.map((step) => ({
        id: step.at,
        title: labelsOf(range, step.at).title,
        values: CLASSES.map(({ of }) => formatNumber(step[of])),
      }))}
    />
  </>
);
