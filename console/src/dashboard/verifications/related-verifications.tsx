import { svc } from '../api';
import { useEnvironment } from '../environment';
import { pageIn, recordIn } from '../paths';
import type { References } from '../records/list-query';
import { Name } from '../records/reference';
import { Related, RelatedLink, RelatedRow } from '../records/related';
import { VerificationResult } from './verification-result';

const LIMIT = 8;

/** The newest verifications of a person or on a device. */
export function RelatedVerifications({
  of,
  showing,
}: {
  readonly of: References;
  readonly showing: 'people' | 'devices';
}) {
  const environment = useEnvironment();
  return (
    <Related
      name="Verifications"
      queryKey={['verifications', environment, 'related', of]}
      read={async (signal) => {
        const query = { environment, limit: LIMIT, ...of };
        const page = await svc.request('consoleListVerifications', { query }, { signal });
        return { items: page.verifications, hasMore: page.nextCursor !== null };
      }}
      keyOf={({ id }) => id}
      row={(verification) => (
        <RelatedRow
          what={
            <RelatedLink to={recordIn(environment, 'verifications', verification.id)}>
              <VerificationResult of={verification.result} />
            </RelatedLink>
          }
          about={
            showing === 'people' ? (
              <Name id={verification.userId} name={verification.userName} />
            ) : (
              <Name id={verification.deviceId} name={verification.deviceName} />
            )
          }
          at={verification.occurredAt}
        />
      )}
      empty="No verifications yet."
      more={pageIn(environment, 'verifications', { ...of })}
    />
  );
}
