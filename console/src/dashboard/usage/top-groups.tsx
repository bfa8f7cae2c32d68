import { Panel } from '../../ui/layout/panel';
import { Id, Text } from '../../ui/lists/value';
import { useKeyNames } from '../nouns/use-key-names';
import { Loading } from './loading';
import { groupsOf, type Point } from './series';
import { SharesTable } from './shares-table';
import { useSeries } from './use-series';

const calledOf = (series: readonly Point[]) => groupsOf(series).filter(({ count }) => count > 0);
const isUnused = (series: readonly Point[]) => calledOf(series).length === 0;

export function TopEndpoints() {
  const query = useSeries('endpoint');
  return (
    <Panel title="Top endpoints" aria-label="Top endpoints">
      <Loading
        name="endpoints"
        size="table"
        query={query}
        isEmpty={isUnused}
        empty={<p>The endpoints you call most appear here.</p>}
      >
        {(series) => (
          <SharesTable name="Top endpoints" of="Endpoint" groups={calledOf(series)}>
            {(endpoint) => <code>{endpoint}</code>}
          </SharesTable>
        )}
      </Loading>
    </Panel>
  );
}

export function TopKeys() {
  const query = useSeries('key');
  const names = useKeyNames();
  return (
    <Panel title="Top keys" aria-label="Top keys">
      <Loading
        name="keys"
        size="table"
        query={query}
        isEmpty={isUnused}
        empty={<p>The API keys you use most appear here.</p>}
      >
        {(series) => (
          <SharesTable name="Top keys" of="Key" groups={calledOf(series)}>
            {(id) => {
              const name = names.get(id);
              return name === undefined ? <Id of={id} short /> : <Text of={name} />;
            }}
          </SharesTable>
        )}
      </Loading>
    </Panel>
  );
}
