import { sentenceOf } from '../../nouns/words/pieces';
import { Sentence } from '../../nouns/words/sentence';
import { useEnvironment } from '../../operations/environment';
import { pageIn, recordIn } from '../../paths';
import { Related, RelatedLink, RelatedRow, useRelated } from './related';

const LIMIT = 8;

/** The newest audit entries about a record. */
export function RelatedEntries({ about }: { readonly about: readonly string[] }) {
  const environment = useEnvironment();
  const entityId = about.join(',');
  return (
    <Related
      name="Audit entries"
      query={useRelated('consoleListAuditEvents', { query: { entityId, limit: LIMIT } })}
      keyOf={({ id }) => id}
      sameAs={({ status, ...event }) => `${status} ${sentenceOf({ status, ...event })}`}
      row={(event, count) => (
        <RelatedRow
          what={
            <RelatedLink to={recordIn(environment, 'audit', event.seq)}>
              {count > 1 && `${count} × `}
              <Sentence of={event} plain />
            </RelatedLink>
          }
          about={count > 1 ? undefined : `Entry ${event.seq}`}
          at={event.createdAt}
        />
      )}
      empty="No entries among the newest 10,000 or the 10,000 after this record was created."
      more={pageIn(environment, 'audit', { entityId })}
    />
  );
}
