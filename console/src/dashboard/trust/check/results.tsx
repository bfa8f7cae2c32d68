import type { RecordFault } from '@svc/zk/records/judge';
import type { ExportedKind } from '@svc/zk/records/kinds';
import { Download as DownloadIcon } from 'lucide-react';
import { Link } from 'react-router';
import { Code } from '../../../ui/code/code';
import { Notice } from '../../../ui/layout/surface';
import { type Column, RecordTable } from '../../../ui/lists/list';
import { Time } from '../../../ui/lists/time';
import { formatNumber } from '../../../ui/numbers';
import { Download } from '../../download';
import { ChainVerdict } from '../../nouns/chain/chain-verdict';
import { CopyId, Reference } from '../../nouns/reference';
import { useEnvironment } from '../../operations/environment';
import { type RecordPage, recordIn } from '../../paths';
import style from './check.module.css';
import type { CheckResult } from './check-everything';
import type { KindReport } from './held-records';

const sum = (
  kinds: readonly KindReport[],
  of: 'faults' | 'records' | 'sealedLater' | 'notCovered' | 'notChecked',
) => kinds.reduce((total, report) => total + report[of], 0);

const count = (of: number, one: string, many: string) => `${formatNumber(of)} ${of === 1 ? one : many}`;

/** What the check found, in sentences. */
export function Verdict({ of }: { readonly of: CheckResult }) {
  const { chain, kinds, changedDuringCheck } = of;
  if (!chain.holds)
    return (
      <>
        <ChainVerdict of={chain} />
        <Notice>No record was compared, because the log that contains their seals is not intact.</Notice>
      </>
    );
  if (changedDuringCheck !== undefined)
    return (
      <Notice tone="bad">
        <strong>
          The audit log was changed during the check (entry {formatNumber(changedDuringCheck)}).
        </strong>{' '}
        It is not the log that the records were downloaded with, so no record was compared. Check again. If
        this stays so, send both logs to the operator of the service.
      </Notice>
    );
  const faults = sum(kinds, 'faults');
  const isWhole = sum(kinds, 'notChecked') === 0 && of.entriesLeftOut === 0;
  return (
    <>
      {faults > 0 ? <Differs faults={faults} /> : <Holds of={of} isWhole={isWhole} />}
      {!isWhole && <LeftOut of={of} />}
    </>
  );
}

function Differs({ faults }: { readonly faults: number }) {
  const environment = useEnvironment();
  return (
    <Notice
      tone="bad"
      action={
        <Download small href={`/v1/audit/export?environment=${environment}`}>
          <DownloadIcon size={16} aria-hidden="true" />
          Download the audit log
        </Download>
      }
    >
      <strong>{count(faults, 'record differs', 'records differ')} from the audit log.</strong> They were
      changed outside of the service. Download the audit log now, keep the file, and send it to the operator
      of the service.
    </Notice>
  );
}

function Holds({ of: { chain, kinds }, isWhole }: { readonly of: CheckResult; readonly isWhole: boolean }) {
  const notCovered = sum(kinds, 'notCovered');
  const sealedLater = sum(kinds, 'sealedLater');
  const records = sum(kinds, 'records') - sum(kinds, 'notChecked');
  return (
    <Notice tone={isWhole ? 'good' : 'warn'}>
      <p>
        <strong>
          {isWhole ? 'Everything matches the audit log' : 'What was checked matches the audit log'}:
        </strong>{' '}
        {count(records, 'record', 'records')} and {count(chain.rows, 'entry', 'entries')}.
        {chain.holds &&
          chain.signature === 'unchecked' &&
          ' This browser can’t check the signature of the log’s head. Newer browsers can.'}
      </p>
      {sealedLater > 0 && (
        <p>
          {count(sealedLater, 'record was', 'records were')} sealed later by the operator. What{' '}
          {sealedLater === 1 ? 'it' : 'they'} said before that is not known.
        </p>
      )}
      {notCovered > 0 && (
        <p>
          {count(notCovered, 'record was', 'records were')} last written before there were seals. Nobody can
          say whether {notCovered === 1 ? 'it was' : 'they were'} changed.
        </p>
      )}
    </Notice>
  );
}

const COMMAND =
  'svc audit verify chain.jsonl --records devices.jsonl users.jsonl verifications.jsonl attendance.jsonl';

/** What a browser has no room for. */
function LeftOut({ of: { kinds, entriesLeftOut } }: { readonly of: CheckResult }) {
  const notChecked = sum(kinds, 'notChecked');
  return (
    <>
      <Notice tone="warn">
        <strong>Not everything was checked,</strong> because a browser can’t hold so many records.
        {notChecked > 0 && ` ${count(notChecked, 'record was', 'records were')} left out.`}
        {entriesLeftOut > 0 &&
          ` Some removed records may not be listed: ${count(entriesLeftOut, 'entry', 'entries')} of the log had no room.`}{' '}
        The <a href="/docs/audit#comparing-records-with-the-chain">command line</a> checks any number.
      </Notice>
      <Code label="The command that checks all records" language="curl" wrap>
        {COMMAND}
      </Code>
    </>
  );
}

const KINDS: Readonly<Record<ExportedKind, readonly [name: string, page: RecordPage]>> = {
  device: ['Device', 'devices'],
  user: ['Person', 'users'],
  verification: ['Verification', 'verifications'],
  attendance: ['Attendance', 'attendance'],
};

/** The sentences of docs/audit.md, shorter. */
const FAULTS: Readonly<Record<RecordFault, string>> = {
  record_changed: 'Changed since it was sealed',
  record_missing: 'Sealed in the log, but no longer there',
  record_unknown: 'There, but no entry of the log sealed it',
  record_resealed: 'Sealed again, although nobody changes such a record',
  record_undeleted: 'Deleted because of its age, but there again',
  salt_missing: 'The salt of its seal is missing, and nobody was erased',
  seal_missing: 'Written without a seal, when every record had one',
};

interface Finding {
  /** Of the row. */
  readonly id: string;
  readonly kind: ExportedKind;
  readonly recordId: string;
  readonly fault: RecordFault;
  readonly seq: number | undefined;
  readonly at: string | undefined;
}

const COLUMNS: readonly Column<Finding>[] = [
  { name: 'Record', cell: (finding) => <Accused of={finding} /> },
  { name: 'What differs', cell: ({ fault }) => FAULTS[fault] },
  {
    name: 'Code',
    short: true,
    cell: ({ fault }) => (
      <a href="/docs/audit#comparing-records-with-the-chain">
        <code>{fault}</code>
      </a>
    ),
  },
  { name: 'Differs from', short: true, narrow: 'fact', cell: ({ seq }) => <Entry seq={seq} /> },
  {
    name: 'Since',
    short: true,
    narrow: 'time',
    cell: ({ at }) => at && <Time at={at} exact />,
  },
];

/** The records that differ, as red rows. */
export function Findings({ of: { kinds } }: { readonly of: CheckResult }) {
  const listed = kinds.flatMap(({ kind, findings }) =>
    findings.map(({ id, fault, seq, at }) => ({
      ...{ id: `${kind} ${id}`, kind, recordId: id },
      fault,
      seq,
      at,
    })),
  );
  if (listed.length === 0) return null;
  const more = sum(kinds, 'faults') - listed.length;
  return (
    <div className={style.findings}>
      <RecordTable name="Records that differ" items={listed} columns={COLUMNS} />
      {more > 0 && (
        <p>
          {formatNumber(more)} more are not listed. <code>svc audit verify --records</code> counts them too.
        </p>
      )}
    </div>
  );
}

/** A record that is gone has no page. */
function Accused({ of: { kind, recordId, fault } }: { readonly of: Finding }) {
  const [name, page] = KINDS[kind];
  return (
    <>
      {name}{' '}
      {fault === 'record_missing' ? (
        <CopyId of={recordId} />
      ) : (
        <Reference to={page} id={recordId} name={undefined} />
      )}
    </>
  );
}

function Entry({ seq }: { readonly seq: number | undefined }) {
  const environment = useEnvironment();
  if (seq === undefined) return null;
  return <Link to={recordIn(environment, 'audit', seq)}>Entry {formatNumber(seq)}</Link>;
}
