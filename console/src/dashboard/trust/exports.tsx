import { Download as DownloadIcon } from 'lucide-react';
import { Link } from 'react-router';
import { Code } from '../../ui/code/code';
import { Panel } from '../../ui/layout/panel';
import { Row } from '../../ui/layout/stack';
import { Page } from '../../ui/layout/surface';
import { type CsvList, Download, Export } from '../download';
import { usePolicy } from '../nouns/policy/use-policy';
import { useEnvironment } from '../operations/environment';
import { accountPage, pageIn } from '../paths';
import style from './trust.module.css';

const LISTS: Readonly<Record<CsvList, string>> = {
  users: 'People',
  devices: 'Devices',
  verifications: 'Verifications',
  attendance: 'Attendance',
};

const CHECK = `svc audit verify audit-log.jsonl
svc audit verify audit-log.jsonl --since kept-head.json`;

/** What an auditor needs: the log with what proves it, and the lists. */
export function Exports() {
  const environment = useEnvironment();
  return (
    <Page title="Exports" about="What you give to an auditor, and how they check it without this service.">
      <div className={style.page}>
        <Panel title="Audit log">
          <p>
            Every entry with its hash, and the signed head at the end. An auditor who kept the head of an
            earlier file also finds out whether anything before it was changed since.
          </p>
          <Row>
            <Download href={`/v1/audit/export?environment=${environment}`}>
              <DownloadIcon size={16} aria-hidden="true" />
              Download the audit log
            </Download>
            <Checkpoint />
          </Row>
          <Code label="How an auditor checks the file" language="curl">
            {CHECK}
          </Code>
          <p>
            <a href="/docs/audit#checking-it">What the check covers</a>
          </p>
        </Panel>
        <Panel title="Receipts of approvals">
          <p>
            A receipt proves one decision to anybody, for good. Download it on the page of an{' '}
            <Link to={pageIn(environment, 'approvals')}>approval</Link>, or{' '}
            <Link to={pageIn(environment, 'receipts')}>check a receipt</Link>.
          </p>
        </Panel>
        <Panel title="Lists">
          <p>As CSV, for a spreadsheet. To export a part of a list, filter it on its own page.</p>
          <ul className={style.lists}>
            {(Object.keys(LISTS) as CsvList[]).map((list) => (
              <li key={list}>
                <span>{LISTS[list]}</span>
                <Export list={list} query={{ environment }} />
              </li>
            ))}
          </ul>
        </Panel>
      </div>
    </Page>
  );
}

/** Where the policy allows it, because a checkpoint shows how many entries there are. */
function Checkpoint() {
  const environment = useEnvironment();
  const { data } = usePolicy();
  if (data === undefined) return null;
  return data.policy.audit_checkpoint ? (
    <Download href={`/v1/audit/checkpoint?environment=${environment}`} name="checkpoint.txt">
      Download the checkpoint
    </Download>
  ) : (
    <span className={style.soft}>
      For witnesses, allow checkpoints in the <Link to={accountPage('security')}>policy</Link>.
    </span>
  );
}
