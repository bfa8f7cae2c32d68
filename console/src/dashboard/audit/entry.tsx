import { useParams } from 'react-router';
import { ButtonLink } from '../../ui/forms/button-link';
import { Time } from '../../ui/lists/time';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { pageIn, type RecordPage } from '../paths';
import { RecordFrame } from '../records/record-frame';
import { CopyId, Reference } from '../records/reference';
import { useRecord } from '../records/use-record';
import type { ListedEntry } from './audit';

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
        ['By', <Actor key="by" entry={entry} />],
        ['Record', <Entity key="record" entry={entry} />],
        ...Object.entries(entry.metadata).map(([name, value]) => [name, String(value)] as const),
        ['Entry ID', <CopyId key="id" of={entry.id} />],
        ['Previous hash', <code key="before">{entry.prevHash}</code>],
        ['Hash', <code key="hash">{entry.hash}</code>],
      ]}
    />
  );
}

const Actor = ({ entry: { actorType, actorId } }: { readonly entry: ListedEntry }) => (
  <>
    {actorType.replaceAll('_', ' ')} {actorId !== null && <CopyId of={actorId} />}
  </>
);

/** Where the records that entries are about are shown. */
const PAGES: Readonly<Record<string, RecordPage>> = {
  user: 'users',
  device: 'devices',
  verification: 'verifications',
  attendance: 'attendance',
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
        {kind} <CopyId of={entry.entityId} />
      </>
    );
  return (
    <>
      {kind} <Reference to={page} id={entry.entityId} name={entry.userName ?? entry.deviceName} />
    </>
  );
}
