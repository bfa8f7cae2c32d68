import { Link } from 'react-router';
import { Ranks } from '../../../ui/charts/ranks';
import { Text } from '../../../ui/lists/value';
import { useEnvironment } from '../../operations/environment';
import { pageIn } from '../../paths';
import { reasonsOf } from './reasons';
import type { ReasonCount } from './use-outcomes';

/** As many as fit beside a chart of bars. */
const MAX_ROWS = 5;

/** Why verifications failed, as horizontal bars that lead to those that failed for it. */
export function FailureReasons({
  counts,
  caption,
}: {
  readonly counts: readonly ReasonCount[];
  readonly caption: string;
}) {
  const environment = useEnvironment();
  const reasons = reasonsOf(counts);
  const [shown, rest] = [reasons.slice(0, MAX_ROWS), reasons.slice(MAX_ROWS)];
  const others = rest.reduce((sum, { count }) => sum + count, 0);
  return (
    <Ranks
      caption={caption}
      head={['Reason', 'Failed']}
      tone="bad"
      ranks={[
        ...shown.map(({ name, reason, count }) => ({
          id: name,
          value: count,
          name: (
            <Link
              to={pageIn(
                environment,
                'verifications',
                reason === undefined ? { result: 'fail' } : { reason },
              )}
            >
              <Text of={name} />
            </Link>
          ),
        })),
        ...(others > 0
          ? [
              {
                id: '',
                value: others,
                name: (
                  <Link to={pageIn(environment, 'verifications', { result: 'fail' })}>
                    {rest.length} other {rest.length === 1 ? 'reason' : 'reasons'}
                  </Link>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}
