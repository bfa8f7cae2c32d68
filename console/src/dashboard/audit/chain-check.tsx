import type { AuditFault, AuditVerdict, SignedHead } from '@svc/sdk';
import { useMutation } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { Row } from '../../ui/layout/stack';
import { Notice } from '../../ui/layout/surface';
import { formatNumber } from '../../ui/numbers';
import { Progress } from '../../ui/status/progress';
import { useAccount } from '../operations/account';
import { useEnvironment } from '../operations/environment';
import { Chain, LINKS } from './chain';
import { checkChain } from './check-chain';

/** Downloads the whole audit chain and verifies it in this browser against the account and the first head this page saw. */
export function ChainCheck() {
  const environment = useEnvironment();
  const tenantId = useAccount().data?.tenant.id;
  const firstHead = useRef<SignedHead>(undefined);
  const running = useRef<AbortController>(undefined);
  const [progress, setProgress] = useState({ rows: 0, of: 0 });
  useEffect(() => () => running.current?.abort(), []);
  const check = useMutation({
    mutationFn: async (): Promise<AuditVerdict | undefined> => {
      const controller = new AbortController();
      running.current = controller;
      const { signal } = controller;
      try {
        const { wholeSvc } = await import('../operations/whole-svc');
        return await checkChain(wholeSvc.console.audit(environment), firstHead, {
          tenantId,
          signal,
          onProgress: (rows, of) => setProgress({ rows, of }),
        });
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    },
  });
  return (
    <Panel title="Verify the audit log">
      <p>
        Your browser downloads every entry and recomputes every hash. This reveals entries that were changed,
        removed or inserted later. The log must also extend the first head that this page saw, signed with the
        same key. To detect a log that was rewritten before you opened this page, compare it with a head that
        you stored elsewhere.
      </p>
      <Chain share={shareOf(check, progress)} isBroken={check.data?.holds === false} />
      {check.isPending && (
        <Progress label="Entries verified" value={progress.rows} max={progress.of}>
          {formatNumber(progress.rows)} of {formatNumber(progress.of)} entries verified
        </Progress>
      )}
      {check.error && <Failure error={check.error} onRetry={() => check.mutate()} />}
      {check.data && <Verdict verdict={check.data} />}
      <Row>
        {check.isPending ? (
          <Button onClick={() => running.current?.abort()}>Stop</Button>
        ) : (
          <Button onClick={() => check.mutate()}>
            <ShieldCheck size={18} aria-hidden="true" />
            {check.data ? 'Verify again' : 'Verify the audit log'}
          </Button>
        )}
      </Row>
    </Panel>
  );
}

/** How much of the chain was found intact. */
const shareOf = (
  { isPending, data }: { readonly isPending: boolean; readonly data: AuditVerdict | undefined },
  { rows, of }: { readonly rows: number; readonly of: number },
): number => {
  if (isPending) return rows / Math.max(1, of);
  if (data === undefined) return 0;
  return data.holds ? 1 : Math.min(data.rows / Math.max(1, of), 1 - 1 / LINKS);
};

function Verdict({ verdict }: { readonly verdict: AuditVerdict }) {
  if (verdict.holds)
    return (
      <Notice tone="good">
        The audit log is intact: {formatNumber(verdict.rows)} entries, with every hash and link verified.{' '}
        {verdict.signature === 'valid'
          ? 'The signature of its head is valid.'
          : 'This browser can’t check the signature of its head. Newer browsers can.'}
      </Notice>
    );
  const { fault, row, rows } = verdict;
  return (
    <Notice tone="bad">
      <p>
        <strong>
          The audit log is not intact{row && ` (entry ${formatNumber(row.seq)})`}. {FAULTS[fault]}
        </strong>
      </p>
      <p>
        {formatNumber(rows)} entries before it are intact.{' '}
        {row && (
          <>
            The ID of the entry is <code>{row.id}</code>.{' '}
          </>
        )}
        Download the audit log now, keep the file, and send it to the operator of the service.
      </p>
    </Notice>
  );
}

const FAULTS: Readonly<Record<AuditFault, string>> = {
  row_missing: 'The entry before this one is missing.',
  link_broken: 'This entry does not follow the one before it.',
  hash_wrong: 'This entry was changed after it was written.',
  time_decreases: 'This entry is older than the one before it.',
  head_differs: 'Its last entry does not match its signed head. The end was cut off or forged.',
  head_signature: 'The signature of its head is invalid.',
  head_key_unknown: 'Its head is signed with a different key from the first head that this page saw.',
  head_missing: 'It has no signed head.',
  other_chain: 'It belongs to another account or environment.',
  kept_head_differs:
    'An entry that this page saw earlier is missing or different. Entries were changed or removed.',
};
