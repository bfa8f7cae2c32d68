import type { UserIdentity } from '@svc/sdk';
import { Eraser, Smartphone, TabletSmartphone, UserRoundPlus } from 'lucide-react';
import type { Happening } from '../../nouns/happenings/item';
import { addressOf } from '../../nouns/words/pieces';
import type { ListedUser } from '../../operations/api';

const text = (of: string) => [{ text: of }];

function ofPhone({ id, deviceId, deviceName, createdAt, revokedAt }: UserIdentity): readonly Happening[] {
  const phone = deviceName ? [{ text: deviceName, isName: true }] : text('a phone');
  const { to } = addressOf('device', deviceId);
  const added: Happening = {
    id: `${id} added`,
    at: createdAt,
    icon: Smartphone,
    tone: 'good',
    pieces: [...text('Added '), ...phone],
    ...(to && { to }),
  };
  if (revokedAt === null) return [added];
  const revoked = [...text('Revoked '), ...phone];
  return [
    added,
    { ...added, id: `${id} revoked`, at: revokedAt, icon: TabletSmartphone, tone: 'bad', pieces: revoked },
  ];
}

/** When the person and their phones came and went. */
export function ownHappenings(
  { id, createdAt, erasedAt }: ListedUser,
  phones: readonly UserIdentity[],
): readonly Happening[] {
  const added = {
    id: `${id} added`,
    at: createdAt,
    icon: UserRoundPlus,
    tone: 'plain' as const,
    pieces: text('Added to the people'),
  };
  const erased = { ...added, id: `${id} erased`, icon: Eraser, pieces: text('Erased') };
  return [...phones.flatMap(ofPhone), added, ...(erasedAt === null ? [] : [{ ...erased, at: erasedAt }])];
}

/**
 * Rows of which older ones may not be read yet, with all of the person's own, newest first. Own rows that are older than all of those
 * wait until these are read.
 */
export function withOwn(
  items: readonly Happening[],
  own: readonly Happening[],
  isComplete: boolean,
): readonly Happening[] {
  const oldest = isComplete ? '' : (items.at(-1)?.at ?? '');
  return [...items, ...own.filter(({ at }) => at >= oldest)].toSorted((a, b) =>
    a.at === b.at ? 0 : a.at < b.at ? 1 : -1,
  );
}
