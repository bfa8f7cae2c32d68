import { svc } from '../api';
import { useEnvironment } from '../environment';
import { pageIn, recordIn } from '../paths';
import type { References } from '../records/list-query';
import { Name } from '../records/reference';
import { Related, RelatedLink, RelatedRow } from '../records/related';
import { AttendanceType } from './attendance-labels';

const LIMIT = 8;

/** The newest check-ins and check-outs of a person or on a device. */
export function RelatedAttendance({
  of,
  showing,
}: {
  readonly of: References;
  readonly showing: 'people' | 'devices';
}) {
  const environment = useEnvironment();
  return (
    <Related
      name="Attendance"
      queryKey={['attendance', environment, 'related', of]}
      read={async (signal) => {
        const query = { environment, limit: LIMIT, ...of };
        const page = await svc.request('consoleListAttendance', { query }, { signal });
        return { items: page.attendance, hasMore: page.nextCursor !== null };
      }}
      keyOf={({ id }) => id}
      row={(event) => (
        <RelatedRow
          what={
            <RelatedLink to={recordIn(environment, 'attendance', event.id)}>
              <AttendanceType of={event.type} />
            </RelatedLink>
          }
          about={
            showing === 'people' ? (
              <Name id={event.userId} name={event.userName} />
            ) : (
              <Name id={event.deviceId} name={event.deviceName} />
            )
          }
          at={event.occurredAt}
        />
      )}
      empty="No attendance yet."
      more={pageIn(environment, 'attendance', { ...of })}
    />
  );
}
