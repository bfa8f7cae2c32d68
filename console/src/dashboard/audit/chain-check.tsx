import type { AuditFault, AuditVerdict, SignedHead } from '@svc/sdk';
import { useMutation } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Card, Notice, Row } from '../../ui/layout/surface';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { useAccount } from '../session';
import style from './chain-check.module.css';
import { checkChain } from './check-chain';

const NUMBER = new Intl.NumberFormat();

/** The whole chain, read and recomputed in this browser. What it is held to is the account, and the first head that was seen here. */
export function ChainCheck() {
  const environment = useEnvironment();
  const tenantId = useAccount().data?.tenant.id;
  const kept = useRef<SignedHead>(undefined);
  const running = useRef<AbortController>(undefined);
  const [progress, setProgress] = useState({ rows: 0, of: 0 });
  useEffect(() => () => running.current?.abort(), []);
  const check = useMutation({
    mutationFn: async (): Promise<AuditVerdict | undefined> => {
      const controller = new AbortController();
      running.current = controller;
      const { signal } = controller;
      try {
        return await checkChain(svc.console.audit(environment), kept, {
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
    <Card title="Check the chain">
      <p>
        Your browser reads every row and computes every hash anew, so that a row which was changed, removed or
        slipped in afterwards shows. What it finds must also extend the head that it saw first on this page,
        under the same key. Only a head that you kept elsewhere shows a chain that was made anew before you
        came.
      </p>
      {check.isPending && <Progress {...progress} />}
      {check.error && <Failure error={check.error} onRetry={() => check.mutate()} />}
      {check.data && <Verdict verdict={check.data} />}
      <Row>
        {check.isPending ? (
          <Button onClick={() => running.current?.abort()}>Stop</Button>
        ) : (
          <Button onClick={() => check.mutate()}>
            <ShieldCheck size={18} aria-hidden="true" />
            {check.data ? 'Check again' : 'Check the chain'}
          </Button>
        )}
      </Row>
    </Card>
  );
}

const Progress = ({ rows, of }: { readonly rows: number; readonly of: number }) => (
  <div className={style.progress}>
    <progress aria-label="Rows checked" value={rows} max={Math.max(1, of)} />
    <span>
      {NUMBER.format(rows)} of {NUMBER.format(of)} rows hold so far
    </span>
  </div>
);

function Verdict({ verdict }: { readonly verdict: AuditVerdict }) {
  if (verdict.holds)
    return (
      <Notice tone="good">
        The chain holds: {NUMBER.format(verdict.rows)} rows, every hash and every link.{' '}
        {verdict.signature === 'valid'
          ? 'The signature of its head is right.'
          : 'This browser cannot check the signature of its head; newer ones can.'}
      </Notice>
    );
  const { fault, row, rows } = verdict;
  return (
    <Notice tone="bad">
      <p>
        <strong>
          The chain does not hold{row && `: row ${NUMBER.format(row.seq)}`}. {FAULTS[fault]}
        </strong>
      </p>
      <p>
        {NUMBER.format(rows)} rows before it hold.{' '}
        {row && (
          <>
            The row is <code>{row.id}</code>.{' '}
          </>
        )}
        Download the chain now, keep the file, and show it to whoever runs the service.
      </p>
    </Notice>
  );
}

const FAULTS: Readonly<Record<AuditFault, string>> = {
  row_missing: 'Before it a row is missing.',
  link_broken: 'It does not follow the row before it.',
  hash_wrong: 'It was changed after it was written.',
  time_decreases: 'It is older than the row before it.',
  head_differs: 'Its signed head counts other rows than there are: the end was cut off or made up.',
  head_signature: 'The signature of its head is wrong.',
  head_key_unknown: 'Its head was signed with another key than the first one that this page saw.',
  head_missing: 'It has no head.',
  other_chain: 'It is the chain of another account or environment.',
  kept_head_differs: 'It has not the row that this page was shown before: rows were changed or cut off.',
};
