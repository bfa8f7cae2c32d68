import { ButtonLink } from '../../ui/forms/button-link';
import { Facts } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { pageIn, type RecordPage } from '../paths';
import { LoadedRecord } from '../records/record';
import { RecordPanel } from '../records/record-panel';
import { CopyId, Reference } from '../records/reference';
import type { ListedEntry } from './audit';

const NUMBER = /^[1-9]\d{0,14}$/;

export const AuditEntry = () => (
  <LoadedRecord
    kind="Audit entry"
    page="audit"
    read={async (id, environment, signal) => {
      if (!NUMBER.test(id)) return undefined;
      const query = { environment, seq: Number(id) };
      return (await svc.request('consoleListAuditEvents', { query }, { signal })).audit[0];
    }}
  >
    {(entry: ListedEntry) => <Shown entry={entry} />}
  </LoadedRecord>
);

function Shown({ entry }: { readonly entry: ListedEntry }) {
  const environment = useEnvironment();
  return (
    <RecordPanel
      kind={`Entry ${entry.seq}`}
      title={entry.summary}
      about={<Time at={entry.createdAt} exact />}
      actions={
        <ButtonLink to={pageIn(environment, 'audit', { action: entry.action })}>
          Filter by this action
        </ButtonLink>
      }
    >
      <Facts
        facts={[
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
    </RecordPanel>
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
