import { useParams } from 'react-router';
import { ButtonLink } from '../../ui/forms/button-link';
import { Time } from '../../ui/lists/time';
import { FailureNotice } from '../nouns/outcomes/failure-notice';
import { type Failure, failureOf } from '../nouns/outcomes/failures';
import { CopyId } from '../nouns/reference';
import { detailsOf } from '../nouns/words/details';
import {
  actorPieces,
  type ListedEntry,
  type Piece,
  personPieces,
  recordPieces,
  sentenceOf,
} from '../nouns/words/pieces';
import { Pieces, Sentence } from '../nouns/words/sentence';
import { useEnvironment } from '../operations/environment';
import { pageIn } from '../paths';
import { RecordFrame } from '../records/record-frame';
import { useRecord } from '../records/use-record';

const NUMBER = /^[1-9]\d{0,14}$/;

export function AuditEntry() {
  const environment = useEnvironment();
  const { id } = useParams();
  return (
    <RecordFrame
      of={useRecord({
        kind: NUMBER.test(id ?? '') ? `Entry ${id}` : 'Audit entry',
        page: 'audit',
        operation: 'consoleListAuditEvents',
        isPossible: (seq) => NUMBER.test(seq),
        input: (seq) => ({ query: { seq: Number(seq) } }),
        pick: ({ audit }) => audit[0],
      })}
      title={sentenceOf}
      heading={(entry) => <Sentence of={entry} />}
      about={({ createdAt }) => <Time at={createdAt} exact />}
      actions={({ action }) => (
        <ButtonLink to={pageIn(environment, 'audit', { action })}>Show entries like this</ButtonLink>
      )}
      notice={(entry) => {
        const failure = failureOfEntry(entry);
        return failure && <FailureNotice of={failure} />;
      }}
      facts={(entry) => ({
        By: <Named pieces={actorPieces(entry)} id={entry.actorId} what={KINDS[entry.actorType]} />,
        Record: <Named pieces={recordPieces(entry)} id={entry.entityId} />,
        ...(entry.personId !== null &&
          entry.personId !== entry.entityId && {
            Person: <Named pieces={personPieces(entry)} id={entry.personId} />,
          }),
        Outcome: entry.status === 'success' ? 'Success' : 'Failed',
        ...detailsOf(entry, failureOfEntry(entry) === undefined ? [] : ['reason']),
        Action: <code>{entry.action}</code>,
        'Entry ID': <CopyId of={entry.id} />,
        Hash: <CopyId of={entry.hash} name="hash" />,
        'Previous hash': <CopyId of={entry.prevHash} name="previous hash" />,
      })}
    />
  );
}

const KINDS: Readonly<Record<string, string>> = {
  api_key: 'API key',
  member: 'Member',
  device: 'Device',
  phone: 'Phone',
};

/** A name as a link, what it is, and its ID to copy. */
const Named = ({
  pieces,
  id,
  what,
}: {
  readonly pieces: readonly Piece[];
  readonly id: string | null;
  readonly what?: string | undefined;
}) => (
  <>
    <Pieces of={pieces} />
    {what && pieces.some(({ isName }) => isName) && `, ${what}`} {id !== null && <CopyId of={id} />}
  </>
);

/** Why a proof failed, which is said above the facts. Undefined for other entries. */
const failureOfEntry = ({ status, metadata: { reason } }: ListedEntry): Failure | undefined =>
  status === 'success' || typeof reason !== 'string' ? undefined : failureOf(reason);
