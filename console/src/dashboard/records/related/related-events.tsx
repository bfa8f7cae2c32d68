import type { ComponentProps, ReactNode } from 'react';
import { AttendanceType } from '../../nouns/attendance-labels';
import { HoursOnly, isHoursOnly } from '../../nouns/members/hours-only';
import { failureIn } from '../../nouns/outcomes/failures';
import { VerificationResult } from '../../nouns/outcomes/verification-result';
import { Name } from '../../nouns/reference';
import type { ListedAttendance, ListedVerification } from '../../operations/api';
import { useEnvironment } from '../../operations/environment';
import { pageIn, recordIn } from '../../paths';
import type { References } from '../lists/list-query';
import { Related, RelatedLink, RelatedRow, useRelated } from './related';

const LIMIT = 8;

interface Of {
  readonly of: References;
  /** What the person or device has in common with its events isn't shown. */
  readonly showing: 'people' | 'devices';
}

const inputOf = (of: References) => ({ query: { limit: LIMIT, include: 'names', ...of } });

function RelatedEvents<T extends ListedAttendance | ListedVerification>({
  of,
  showing,
  page,
  name,
  query,
  what,
  note,
}: Of & {
  readonly page: 'attendance' | 'verifications';
  readonly name: string;
  readonly query: ComponentProps<typeof Related<T>>['query'];
  readonly what: (event: T) => ReactNode;
  /** What is shown below it instead of the person or device. */
  readonly note?: (event: T) => string | undefined;
}) {
  const environment = useEnvironment();
  return (
    <Related
      name={name}
      query={query}
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
export function RelatedAttendance(props: Of) {
  const query = useRelated('listAttendance', inputOf(props.of));
  if (isHoursOnly(query.error)) return <HoursOnly />;
  return (
    <RelatedEvents<ListedAttendance>
      {...props}
      page="attendance"
      name="Attendance"
      query={query}
      what={(event) => <AttendanceType of={event} />}
    />
  );
}

/** The newest verifications of a person or on a device. */
export const RelatedVerifications = (props: Of) => (
  <RelatedEvents<ListedVerification>
    {...props}
    page="verifications"
    name="Verifications"
    query={useRelated('listVerifications', inputOf(props.of))}
    what={({ result }) => <VerificationResult of={result} />}
    note={(event) => failureIn(event)?.name}
  />
);
