import { Link } from 'react-router';
import { ButtonLink } from '../../../ui/forms/button-link';
import { Text } from '../../../ui/lists/value';
import { formatNumber } from '../../../ui/numbers';
import { reasonsOf } from '../../nouns/outcomes/reasons';
import type { OutcomesReply } from '../../nouns/outcomes/use-outcomes';
import { useEnvironment } from '../../operations/environment';
import { pageIn } from '../../paths';
import style from './attention.module.css';
import { AttentionRow } from './attention-row';

const MAX_REASONS = 4;

/** How many verifications failed in the last 24 hours, and why: each reason leads to those that failed for it. */
export function FailedSignIns({
  outcomes: { hours, reasons },
  failed,
}: {
  readonly outcomes: OutcomesReply;
  readonly failed: number;
}) {
  const environment = useEnvironment();
  const all = hours.reduce((sum, { pass, fail, challenge }) => sum + pass + fail + challenge, 0);
  return (
    <AttentionRow
      action={
        <ButtonLink small to={pageIn(environment, 'verifications', { result: 'fail' })}>
          Show all that failed
        </ButtonLink>
      }
    >
      <strong>
        {formatNumber(failed)} of {formatNumber(all)} verifications failed
      </strong>{' '}
      in the last 24 hours.
      <ul className={style.reasons} aria-label="Why they failed">
        {reasonsOf(reasons)
          .slice(0, MAX_REASONS)
          .map(({ name, reason, count }) => (
            <li key={name}>
              <Link
                to={pageIn(
                  environment,
                  'verifications',
                  reason === undefined ? { result: 'fail' } : { reason },
                )}
              >
                <Text of={name} />
              </Link>{' '}
              {formatNumber(count)}
            </li>
          ))}
      </ul>
    </AttentionRow>
  );
}
