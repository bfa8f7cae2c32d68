import type { RecordVerdict } from '@svc/sdk/receipts';
import { ShieldCheck } from 'lucide-react';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { useSending } from '../../../ui/forms/use-sending';
import { Row, Stack } from '../../../ui/layout/stack';
import { Notice } from '../../../ui/layout/surface';
import { Time } from '../../../ui/lists/time';
import { Text } from '../../../ui/lists/value';
import { useEnvironment } from '../../operations/environment';
import { Findings } from '../receipt/findings';
import { type CheckedKind, checkSeal } from './check-seal';

/** Compares a record with the audit chain in this browser, and says what was found. */
export function CheckRecord({ kind, id }: { readonly kind: CheckedKind; readonly id: string }) {
  const environment = useEnvironment();
  const check = useSending({ mutationFn: () => checkSeal(kind, id, environment) });
  return (
    <Stack>
      <Row>
        <Button small busy={check.isPending} onClick={() => check.mutate()}>
          <ShieldCheck size={16} aria-hidden="true" />
          Check this record
        </Button>
      </Row>
      {check.error && <Failure error={check.error} onRetry={() => check.mutate()} />}
      {check.data && <SealVerdict of={check.data} />}
    </Stack>
  );
}

function SealVerdict({ of }: { readonly of: RecordVerdict }) {
  if (of.ok)
    return (
      <>
        <Notice tone="good">
          <strong>This record is as it was sealed</strong> on <Time at={of.at} exact />.
        </Notice>
        <Findings of={of} />
      </>
    );
  return (
    <Notice tone={of.code === 'not_covered' ? 'warn' : 'bad'}>
      <p>
        <strong>
          {of.code === 'not_covered'
            ? 'This record cannot be checked.'
            : 'This record is not as it was sealed.'}
        </strong>{' '}
        <Text of={of.message} />
      </p>
      <p>
        Code: <a href="/docs/audit#checking-one-record">{of.code}</a>
      </p>
    </Notice>
  );
}
