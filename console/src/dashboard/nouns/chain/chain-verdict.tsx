import type { AuditFault, AuditVerdict } from '@svc/sdk';
import { Notice } from '../../../ui/layout/surface';
import { formatNumber } from '../../../ui/numbers';

/** What a check of the whole chain found. */
export function ChainVerdict({ of: verdict }: { readonly of: AuditVerdict }) {
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
