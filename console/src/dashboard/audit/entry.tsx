import { useParams } from 'react-router';
import { ButtonLink } from '../../ui/forms/button-link';
import { Time } from '../../ui/lists/time';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { pageIn, type RecordPage } from '../paths';
import { RecordFrame } from '../records/record-frame';
import { CopyId, Reference } from '../records/reference';
import { useRecord } from '../records/use-record';
import { failureOf } from '../verifications/failures';
import { Actor, type ListedEntry, MemberName } from './actor';

const NUMBER = /^[1-9]\d{0,14}$/;

export function AuditEntry() {
  const environment = useEnvironment();
  const { id } = useParams();
  return (
    <RecordFrame
      of={useRecord<ListedEntry>({
        kind: NUMBER.test(id ?? '') ? `Entry ${id}` : 'Audit entry',
        page: 'audit',
        read: async ({ path, query }, signal) => {
          if (!NUMBER.test(path.id)) return undefined;
          const request = { query: { ...query, seq: Number(path.id) } };
          return (await svc.request('consoleListAuditEvents', request, { signal })).audit[0];
        },
      })}
      title={({ summary }) => summary}
      about={({ createdAt }) => <Time at={createdAt} exact />}
      actions={({ action }) => (
        <ButtonLink to={pageIn(environment, 'audit', { action })}>Filter by this action</ButtonLink>
      )}
      facts={(entry) => [
        ['Action', <code key="action">{entry.action}</code>],
        ['Outcome', entry.status === 'success' ? 'Success' : 'Failed'],
        ['By', <ActorWithId key="by" entry={entry} />],
        ['Record', <Entity key="record" entry={entry} />],
        ...Object.entries(entry.metadata).map(
          ([name, value]) => [name, <Detail key={name} name={name} value={String(value)} />] as const,
        ),
        ['Entry ID', <CopyId key="id" of={entry.id} />],
        ['Previous hash', <code key="before">{entry.prevHash}</code>],
        ['Hash', <code key="hash">{entry.hash}</code>],
      ]}
    />
  );
}

/** Reasons of entries that are not about a failed verification. */
const REASONS: Readonly<Record<string, string>> = {
  not_me: 'The person did not start it',
  mistake: 'It was a mistake',
  five_failures: 'Five attempts failed',
};

/** A field of the metadata: a reason in words, and a verification as a link. */
function Detail({ name, value }: { readonly name: string; readonly value: string }) {
  if (name === 'verificationId') return <Reference to="verifications" id={value} name={null} />;
  return name === 'reason' ? (failureOf(value)?.why ?? REASONS[value] ?? value) : value;
}

const ActorWithId = ({ entry }: { readonly entry: ListedEntry }) => (
  <>
    <Actor of={entry} /> {entry.actorId !== null && <CopyId of={entry.actorId} />}
  </>
);

/** Where the records that entries are about are shown. */
const PAGES: Readonly<Record<string, RecordPage>> = {
  user: 'users',
  device: 'devices',
  verification: 'verifications',
  attendance: 'attendance',
  approval: 'approvals',
  registration: 'registrations',
  pairing_session: 'pairing',
  webhook: 'webhooks',
  oidc_client: 'applications',
};

function Entity({ entry }: { readonly entry: ListedEntry }) {
  const page = PAGES[entry.entityType];
  const kind = entry.entityType.replaceAll('_', ' ');
  if (entry.entityId === null) return kind;
  if (page === undefined)
    return (
      <>
        {entry.entityType === 'member' ? <MemberName id={entry.entityId} /> : kind}{' '}
        <CopyId of={entry.entityId} />
      </>
    );
  return (
    <>
      {kind} <Reference to={page} id={entry.entityId} name={entry.userName ?? entry.deviceName} />
    </>
  );
}
