import { Failure } from '../../ui/failure';
import { TextField } from '../../ui/forms/fields/field';
import { Panel } from '../../ui/layout/panel';
import { Notice } from '../../ui/layout/surface';
import { MAX_RETENTION_DAYS, MIN_RETENTION_DAYS } from '../nouns/policy/policy';
import { POLICY_LABELS } from '../nouns/policy/policy-labels';
import { useOperation } from '../operations/operation';
import type { Choosing } from './choice-field';
import { deletedText } from './retention-text';

/** When old records are deleted, and what that would delete now. */
export const Retention = ({ chosen, onChoose, current }: Choosing & { readonly current: number }) => (
  <Panel title="Retention">
    <p>
      Verifications, attendance and completed registrations can be deleted when they get old, in live and in
      test. People, their phones and the audit log are kept.{' '}
      <a href="/docs/accounts#retention">What is deleted, and when</a>
    </p>
    <TextField
      label={POLICY_LABELS.retentionDays.label}
      hint={`Days, ${MIN_RETENTION_DAYS} to ${MAX_RETENTION_DAYS}. Leave it empty to keep them.`}
      type="number"
      inputMode="numeric"
      min={MIN_RETENTION_DAYS}
      max={MAX_RETENTION_DAYS}
      step={1}
      value={chosen.retentionDays || ''}
      onChange={({ target }) => onChoose({ retentionDays: Number(target.value) })}
    />
    {chosen.retentionDays !== current && <Preview days={chosen.retentionDays} />}
  </Panel>
);

function Preview({ days }: { readonly days: number }) {
  const isValid = Number.isInteger(days) && days >= MIN_RETENTION_DAYS && days <= MAX_RETENTION_DAYS;
  const { data, error, refetch } = useOperation(
    'consolePreviewRetention',
    { query: { days } },
    { enabled: isValid },
  );
  if (!isValid) return null;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p role="status">Counting what this deletes …</p>;
  const { text, isNothing } = deletedText(data);
  return <Notice tone={isNothing ? 'plain' : 'warn'}>{text}</Notice>;
}
