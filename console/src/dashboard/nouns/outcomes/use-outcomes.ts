import type { Operations } from '@svc/sdk';
import { keepPreviousData } from '@tanstack/react-query';
import { type Environment, svc } from '../../operations/api';
import { useOperation } from '../../operations/operation';

export type OutcomesReply = Operations['getVerificationOutcomes']['reply'];
export type HourOfOutcomes = OutcomesReply['hours'][number];
export type ReasonCount = OutcomesReply['reasons'][number];

const HOUR_MS = 3_600_000;
/** The counts of a day are those of the home, which is kept up to date. */
const refreshOf = (hours: number): number => (hours <= 24 ? 15_000 : 60_000);

/** The verifications of the last hours, which end with the present one: by hour and result, and why some failed. */
export const useOutcomes = (environment: Environment, hours: number) =>
  useOperation(
    'getVerificationOutcomes',
    { query: { environment, from: startOf(hours) } },
    { staleTime: 0, refetchInterval: refreshOf(hours), placeholderData: keepPreviousData },
  );

function startOf(hours: number): string {
  const now = svc.serverNow();
  return new Date(now - (now % HOUR_MS) - (hours - 1) * HOUR_MS).toISOString();
}
