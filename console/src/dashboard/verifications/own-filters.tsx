import { useSearchParams } from 'react-router';
import { FilterChip, useChange } from '../../ui/lists/filters/filters';
import { Text } from '../../ui/lists/value';
import { failureOf } from '../nouns/outcomes/failures';
import { endOfHour, nameOfHour, readHour } from '../nouns/outcomes/hours';
import { useReferences } from '../records/lists/list-query';
import { ReferenceFilters } from '../records/lists/reference-filters';

const MAX_REASON_LENGTH = 500;

/** The hour and the reason that charts and links set. */
function useHourAndReason() {
  const [search] = useSearchParams();
  const reason = search.get('reason')?.slice(0, MAX_REASON_LENGTH);
  return { hour: readHour(search.get('hour')), reason: reason?.trim() ? reason : undefined };
}

/** The filters that only links set. An hour stands above the days that were chosen. */
export function useOwnFilters() {
  const references = useReferences();
  const { hour, reason } = useHourAndReason();
  return {
    ...references,
    ...(reason !== undefined && { reason }),
    ...(hour !== undefined && { from: hour, to: endOfHour(hour) }),
  };
}

export function OwnFilters() {
  const change = useChange();
  const { hour, reason } = useHourAndReason();
  return (
    <>
      {hour !== undefined && (
        <FilterChip name="Hour" onRemove={() => change('hour', '')}>
          {nameOfHour(hour)}
        </FilterChip>
      )}
      {reason !== undefined && (
        <FilterChip name="Failed because" onRemove={() => change('reason', '')}>
          {failureOf(reason)?.name ?? <Text of={reason} />}
        </FilterChip>
      )}
      <ReferenceFilters />
    </>
  );
}
