import { ButtonLink } from '../../../ui/forms/button-link';
import { formatNumber } from '../../../ui/numbers';
import type { Pace } from '../../nouns/usage/pace';
import { textOfPace } from '../../nouns/usage/pace-text';
import { accountPage } from '../../paths';
import { AttentionRow } from './attention-row';

/** The quota is used up, or will be before the end of the month. */
export const QuotaRow = (pace: Pace) => {
  const isUsedUp = pace.used >= pace.limit;
  return (
    <AttentionRow
      tone={isUsedUp ? 'bad' : 'warn'}
      action={
        <ButtonLink small to={accountPage('usage')}>
          Show usage
        </ButtonLink>
      }
    >
      <strong>
        {isUsedUp
          ? 'No calls are left this month.'
          : `${formatNumber(pace.used)} of ${formatNumber(pace.limit)} calls of this month are used.`}
      </strong>{' '}
      {isUsedUp ? 'Calls with an API key are rejected until next month.' : `${textOfPace(pace)}.`}
    </AttentionRow>
  );
};
