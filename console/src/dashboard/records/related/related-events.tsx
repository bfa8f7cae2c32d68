import type { ReactNode } from 'react';
import { type ListedAttendance, type ListedVerification, svc } from '../../api';
import { AttendanceType } from '../../attendance/attendance-labels';
import { useEnvironment } from '../../environment';
import { pageIn, recordIn } from '../../paths';
import { failureIn } from '../../verifications/failures';
import { VerificationResult } from '../../verifications/verification-result';
import type { References } from '../lists/list-query';
import { Name } from '../reference';
import { Related, RelatedLink, RelatedRow } from './related';

const LIMIT = 8;

interface Of {
  readonly of: References;
  /** What the person or device has in common with its events isn't shown. */
  readonly showing: 'people' | 'devices';
}

function RelatedEvents<T extends ListedAttendance | ListedVerification>({
  of,
  showing,
  page,
  name,
  read,
  what,
  note,
}: Of & {
  readonly page: 'attendance' | 'verifications';
  readonly name: string;
  readonly read: (
    query: References & {
      readonly environment: 'live' | 'test';
      readonly limit: number;
      readonly include: string;
    },
    signal: AbortSignal,
  ) => Promise<{ readonly items: readonly T[]; readonly nextCursor: string | null }>;
  readonly what: (event: T) => ReactNode;
  /** What is shown below it instead of the person or device. */
  readonly note?: (event: T) => string | undefined;
}) {
  const environment = useEnvironment();
  return (
    <Related
      name={name}
      queryKey={[page, environment, 'related', of]}
      read={async (signal) => {
        const { items, nextCursor } = await read(
          { environment, limit: LIMIT, include: 'names', ...of },
          signal,
        );
        return { items, hasMore: nextCursor !== null };
      }}
      keyOf={({ id }) => id}
      row={(event) => (
        <RelatedRow
          what={<RelatedLink to={recordIn(environment, page, event.id)}>{what(event)}</RelatedLink>}
          about={
            note?.(event) ??
            (showing === 'people' ? (
              <Name id={event.userId} name={event.userName} />
            ) : (
              <Name id={event.deviceId} name={event.deviceName} />
            ))
          }
          at={event.occurredAt}
        />
      )}
      empty={`No ${name.toLowerCase()} yet.`}
      more={pageIn(environment, page, { ...of })}
    />
  );
}

/** The newest check-ins and check-outs of a person or on a device. */
export const RelatedAttendance = (props: Of) => (
  <RelatedEvents<ListedAttendance>
    {...props}
    page="attendance"
    name="Attendance"
    read={async (query, signal) => {
      const { attendance: items, nextCursor } = await svc.request('listAttendance', { query }, { signal });
      return { items, nextCursor };
    }}
    what={(event) => <AttendanceType of={event} />}
  />
);

/** The newest verifications of a person or on a device. */
export const RelatedVerifications = (props: Of) => (
  <RelatedEvents<ListedVerification>
    {...props}
    page="verifications"
    name="Verifications"
    read={async (query, signal) => {
      const { verifications: items, nextCursor } = await svc.request(
        'listVerifications',
        { query },
        { signal },
      );
      return { items, nextCursor };
    }}
    what={({ result }) => <VerificationResult of={result} />}
    note={(event) => failureIn(event)?.name}
  />
);
