import { ShieldCheck } from 'lucide-react';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Panel } from '../../../ui/layout/panel';
import { Row, Stack } from '../../../ui/layout/stack';
import { Notice, Page } from '../../../ui/layout/surface';
import { useEnvironment } from '../../operations/environment';
import trust from '../trust.module.css';
import style from './check.module.css';
import { Parts } from './parts';
import { Findings, Verdict } from './results';
import { type Check as Running, useCheck } from './use-check';

/** Compares every record of the environment with the audit log, in this browser. */
export function Check() {
  const environment = useEnvironment();
  // The other environment has other records, so no result stays.
  return <CheckOf key={environment} />;
}

function CheckOf() {
  const check = useCheck();
  const { data, isPending } = check;
  return (
    <Page
      title="Check everything"
      about="Compares every record with the audit log, and shows what was changed, removed or inserted in the database."
    >
      <Stack>
        <Panel>
          <p className={style.text}>
            Your browser downloads all devices, people, verifications and check-ins, and then the audit log.
            It verifies the log, recomputes the seal of each record, and compares it with the seal in the log.
            Each download is itself recorded in the log.
          </p>
          <Parts check={check} />
          <Problem check={check} />
          {data && <Verdict of={data} />}
          <Row>
            {isPending ? (
              <Button onClick={check.stop}>Stop</Button>
            ) : (
              <Button onClick={check.start}>
                <ShieldCheck size={18} aria-hidden="true" />
                {data ? 'Check again' : 'Check everything'}
              </Button>
            )}
          </Row>
        </Panel>
        {data && <Findings of={data} />}
        <p className={trust.soft}>
          The check trusts the keys that this service names, and the first head of the log that this page saw.{' '}
          <a href="/docs/audit#comparing-records-with-the-chain">The command line</a> also compares the log
          with a head that you stored elsewhere.
        </p>
      </Stack>
    </Page>
  );
}

/** Why there is no result. No record is accused then. */
function Problem({ check: { error, isIncomplete, wasStopped, start } }: { readonly check: Running }) {
  if (wasStopped) return <Notice>The check was stopped. Nothing was compared.</Notice>;
  if (isIncomplete)
    return (
      <Notice
        tone="warn"
        action={
          <Button small onClick={start}>
            Try again
          </Button>
        }
      >
        <strong>The check is incomplete.</strong> A download ended before its last line, so nothing was
        compared.
      </Notice>
    );
  return error && <Failure error={error} onRetry={start} />;
}
