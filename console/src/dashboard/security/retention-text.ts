import type { Operations } from '@svc/sdk';
import { formatNumber } from '../../ui/numbers';

type Counts = Operations['consolePreviewRetention']['reply'];

/** The service counts no further. */
const MAX_COUNTED = 100_000;

const NAMES = [
  ['verifications', 'verification'],
  ['attendance', 'attendance event'],
  ['registrations', 'registration'],
] as const;

const counted = (count: number, name: string, isExact: boolean): string =>
  `${!isExact && count >= MAX_COUNTED ? 'at least ' : ''}${formatNumber(count)} ${name}${count === 1 ? '' : 's'}`;

/** `Saving this deletes now: 1,234 verifications, 1 registration.` */
export function deletedText(counts: Counts): { readonly text: string; readonly isNothing: boolean } {
  const parts = NAMES.flatMap(([kind, name]) =>
    counts[kind] > 0 ? [counted(counts[kind], name, counts.isExact)] : [],
  );
  return parts.length === 0
    ? { text: 'Saving this deletes nothing now. No record is that old.', isNothing: true }
    : { text: `Saving this deletes now: ${parts.join(', ')}. They can’t be restored.`, isNothing: false };
}
