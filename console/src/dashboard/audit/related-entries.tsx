import { AUDIT, svc } from '../api';
import { useEnvironment } from '../environment';
import { pageIn, recordIn } from '../paths';
import { Related, RelatedLink, RelatedRow } from '../records/related/related';

const LIMIT = 8;

/** The newest audit entries about a record. */
export function RelatedEntries({ about }: { readonly about: readonly string[] }) {
  const environment = useEnvironment();
  const entityId = about.join(',');
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
      empty="No entries among the newest 10,000 or the 10,000 after this record was created."
      more={pageIn(environment, 'audit', { entityId })}
    />
  );
}
