import { isSvcError } from '@svc/sdk';
import { Link } from 'react-router';
import { Failure } from '../../ui/failure';
import { ChooseFile } from '../../ui/forms/fields/choose-file';
import { useSending } from '../../ui/forms/use-sending';
import { Panel } from '../../ui/layout/panel';
import { Notice, Page } from '../../ui/layout/surface';
import { approverNames } from '../nouns/receipt/approval-names';
import { checkReceipt } from '../nouns/receipt/check-receipt';
import { Verdict } from '../nouns/receipt/verdict';
import { type Environment, type ListedApproval, svc } from '../operations/api';
import { useEnvironment } from '../operations/environment';
import { pageIn } from '../paths';
import { approvalIdIn } from './receipt-file';
import style from './trust.module.css';

/** Checks the file of a receipt, whichever of the account's approvals it is of. */
export function Receipts() {
  const environment = useEnvironment();
  const check = useSending({ mutationFn: (file: File) => checkFile(environment, file) });
  return (
    <Page title="Receipts" about="A receipt proves a decision to anybody who has the file.">
      <div className={style.page}>
        <Panel title="Check a receipt">
          <ChooseFile
            label="Choose a receipt, or drop it here"
            hint="A JSON file of at most 256 KB, downloaded on the page of an approval"
            accept=".json,application/json"
            isBusy={check.isPending}
            onFile={(file) => check.mutate(file)}
          />
          {isSvcError(check.error, 'approval_not_found') ? (
            <Notice tone="warn">
              This account has no such approval in {environment === 'live' ? 'live' : 'test'}. The command
              line checks receipts of any account: <code>svc receipt verify FILE</code>.
            </Notice>
          ) : (
            check.error && <Failure error={check.error} onRetry={() => check.mutate(check.variables)} />
          )}
          {check.data === 'not a receipt' && (
            <Notice tone="bad">This file is no receipt. A receipt is a JSON file with a statement.</Notice>
          )}
          {check.data && check.data !== 'not a receipt' && (
            <Verdict of={check.data.checked} names={check.data.names} />
          )}
        </Panel>
        <p className={style.soft}>
          You download receipts on the pages of <Link to={pageIn(environment, 'approvals')}>approvals</Link>.
          A check on this page takes the keys of the signatures from this service, so it proves less than{' '}
          <a href="/docs/receipts#check-one">one on another machine</a>.
        </p>
      </div>
    </Page>
  );
}

const MAX_BYTES = 256 * 1024;

async function checkFile(environment: Environment, file: File) {
  const id = file.size > MAX_BYTES ? undefined : approvalIdIn(await file.text());
  if (id === undefined) return 'not a receipt';
  const [{ approval }, checked] = await Promise.all([
    svc.request('getApproval', { path: { id }, query: { environment, include: 'names' } }),
    checkReceipt({ id, environment }, file),
  ]);
  return { checked, names: approverNames(approval as ListedApproval) };
}
