import type { AuditVerdict, SignedHead } from '@svc/sdk';
import { useMutation } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { Row } from '../../ui/layout/stack';
import { formatNumber } from '../../ui/numbers';
import { Progress } from '../../ui/status/progress';
import { Chain, LINKS } from '../nouns/chain/chain';
import { ChainVerdict } from '../nouns/chain/chain-verdict';
import { checkChain } from '../nouns/chain/check-chain';
import { useAccount } from '../operations/account';
import { useEnvironment } from '../operations/environment';
import { pageIn } from '../paths';

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
        you stored elsewhere. To compare all records with the log as well,{' '}
        <Link to={pageIn(environment, 'check')}>check everything</Link>.
      </p>
      <Chain share={shareOf(check, progress)} isBroken={check.data?.holds === false} />
      {check.isPending && (
        <Progress label="Entries verified" value={progress.rows} max={progress.of}>
          {formatNumber(progress.rows)} of {formatNumber(progress.of)} entries verified
        </Progress>
      )}
      {check.error && <Failure error={check.error} onRetry={() => check.mutate()} />}
      {check.data && <ChainVerdict of={check.data} />}
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
