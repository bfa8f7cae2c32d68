import { Link } from 'react-router';
import { ButtonLink } from '../../../ui/forms/button-link';
import { Text } from '../../../ui/lists/value';
import { useEnvironment } from '../../environment';
import { pageIn } from '../../paths';
import { reasonsOf } from '../../verifications/reasons';
import type { OutcomesReply } from '../../verifications/use-outcomes';
import style from './attention.module.css';
import { AttentionRow } from './attention-row';

const NUMBER = new Intl.NumberFormat();
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
        {NUMBER.format(failed)} of {NUMBER.format(all)} verifications failed
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
              {NUMBER.format(count)}
            </li>
          ))}
      </ul>
    </AttentionRow>
  );
}
