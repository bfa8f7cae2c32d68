import type { Operations } from '@svc/sdk';
import { Meter } from '../../ui/layout/meter';

type CurrentMonth = Operations['consoleGetUsage']['reply']['currentMonth'];

export const Month = ({ used, limit }: CurrentMonth) =>
  limit === null ? (
    <p>
      <strong>{used.toLocaleString()}</strong> calls this month. Your plan has no monthly limit.
    </p>
  ) : (
    <Meter label="Calls this month" used={used} limit={limit} />
  );
