import { FileCheck, FileDown, ShieldCheck } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { useSending } from '../../../ui/forms/use-sending';
import { Panel } from '../../../ui/layout/panel';
import { Row } from '../../../ui/layout/stack';
import { Download } from '../../download';
import { approverNames } from '../../nouns/receipt/approval-names';
import { type CheckedReceipt, checkReceipt } from '../../nouns/receipt/check-receipt';
import style from '../../nouns/receipt/receipt.module.css';
import { Verdict } from '../../nouns/receipt/verdict';
import type { ListedApproval } from '../../operations/api';
import { useEnvironment } from '../../operations/environment';

/** The receipt of an approval that no longer waits: to keep, and to check in this browser. */
export function Receipt({ of }: { readonly of: ListedApproval }) {
  const { id } = of;
  const environment = useEnvironment();
  const input = useRef<HTMLInputElement>(null);
  const check = useSending<CheckedReceipt, File | undefined>({
    mutationFn: (file) => checkReceipt({ id, environment }, file),
  });
  const { isDropping, ...drop } = useDrop((file) => check.mutate(file));
  return (
    <Panel title="Receipt" className={isDropping ? style.dropping : undefined} {...drop}>
      <p className={style.text}>
        The receipt has the decisions with their proofs. Anybody can check it, without this service. To check
        a file, choose it or drop it here.
      </p>
      <Row>
        <Download
          href={`/v1/approvals/${encodeURIComponent(id)}/receipt?environment=${environment}`}
          name={`receipt-${id}.json`}
        >
          <FileDown size={16} aria-hidden="true" />
          Download receipt
        </Download>
        <Button busy={check.isPending} onClick={() => check.mutate(undefined)}>
          <ShieldCheck size={16} aria-hidden="true" />
          Check this receipt
        </Button>
        <Button onClick={() => input.current?.click()}>
          <FileCheck size={16} aria-hidden="true" />
          Check a file
        </Button>
        <input
          ref={input}
          type="file"
          accept=".json,application/json"
          aria-label="File of a receipt"
          hidden
          onChange={({ target }) => {
            const file = target.files?.[0];
            // The same file can be chosen again after it was changed.
            target.value = '';
            if (file) check.mutate(file);
          }}
        />
      </Row>
      {check.error && <Failure error={check.error} onRetry={() => check.mutate(check.variables)} />}
      {check.data && <Verdict of={check.data} names={approverNames(of)} />}
      <p className={style.about}>
        A check on this page proves less than one on another machine, because the service sends the page and
        names the keys of the signatures.{' '}
        <a href="/docs/receipts#check-one">How to check a receipt elsewhere</a>
      </p>
    </Panel>
  );
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** Takes a file that is dropped on an element. */
function useDrop(onFile: (file: File) => void) {
  const [isDropping, setDropping] = useState(false);
  return {
    isDropping,
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDropping(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) setDropping(false);
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDropping(false);
      const file = event.dataTransfer.files[0];
      if (file) onFile(file);
    },
  };
}
