import { AUDIT, svc } from '../api';
import { useEnvironment } from '../environment';
import { pageIn, recordIn } from '../paths';
import { Related, RelatedLink, RelatedRow } from '../records/related/related';

const LIMIT = 8;

/** The newest audit entries about a record. The service searches the newest 10,000 entries. */
export function RelatedEntries({ entityId }: { readonly entityId: string }) {
  const environment = useEnvironment();
  return (
    <Related
      name="Audit entries"
      queryKey={[...AUDIT, environment, 'related', entityId]}
      read={async (signal) => {
        const query = { environment, entityId, limit: LIMIT };
        const page = await svc.request('consoleListAuditEvents', { query }, { signal });
        return { items: page.audit, hasMore: page.nextCursor !== null };
      }}
      keyOf={({ id }) => id}
      row={(event) => (
        <RelatedRow
          what={<RelatedLink to={recordIn(environment, 'audit', event.seq)}>{event.summary}</RelatedLink>}
          about={`Entry ${event.seq}${event.status === 'failure' ? ', failed' : ''}`}
          at={event.createdAt}
        />
      )}
      empty="No entries among the newest 10,000."
      more={pageIn(environment, 'audit', { entityId })}
    />
  );
}
