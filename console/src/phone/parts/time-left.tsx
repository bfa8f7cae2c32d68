import { Countdown, Time, useCountdown } from '../../ui/lists/time';
import { t } from '../language/strings';

const HOUR_S = 3_600;

/** The time left, counted down in the last hour. Before that, when it ends. */
export const TimeLeft = ({ until }: { readonly until: string }) =>
  useCountdown(until) <= HOUR_S
    ? t.approvals.expiresIn(<Countdown until={until} />)
    : t.approvals.expiresAt(<Time at={until} />);
