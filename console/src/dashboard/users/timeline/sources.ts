import type { UserIdentity } from '@svc/sdk';
import { Eraser, Smartphone, TabletSmartphone, UserRoundPlus } from 'lucide-react';
import type { Happening } from '../../activity/item';
import type { Source } from '../../activity/merge';
import { approvals, attendance, PAGE_SIZE, verifications } from '../../activity/sources';
import { type Environment, type ListedUser, svc } from '../../api';
import { addressOf } from '../../audit/words/pieces';
import { fromEntry, isShown } from './entries';

/** The most phones that are read. Nobody has so many. */
const MAX_PHONES = 100;

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

/** When the person and their phones came and went: few, so all are read together. */
const ofRecord =
  (environment: Environment, { id, createdAt, erasedAt }: ListedUser): Source<Happening> =>
  async (_, signal) => {
    const request = { path: { userId: id }, query: { environment, limit: MAX_PHONES } };
    const phones =
      erasedAt === null ? (await svc.request('listUserIdentities', request, { signal })).identities : [];
    const added = {
      id: `${id} added`,
      at: createdAt,
      icon: UserRoundPlus,
      tone: 'plain' as const,
      pieces: text('Added to the people'),
    };
    const erased = { ...added, id: `${id} erased`, icon: Eraser, pieces: text('Erased') };
    const items = [
      ...phones.flatMap(ofPhone),
      added,
      ...(erasedAt === null ? [] : [{ ...erased, at: erasedAt }]),
    ].toSorted((a, b) => (a.at < b.at ? 1 : -1));
    return { items, nextCursor: null, through: null };
  };

/** Entries of the audit log that name the person. */
const entries =
  (environment: Environment, entityId: string): Source<Happening> =>
  async (cursor, signal) => {
    const query = { environment, entityId, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) };
    const { audit, nextCursor } = await svc.request('consoleListAuditEvents', { query }, { signal });
    const shown = audit.filter(isShown).filter(({ action }) => action !== 'user.erased');
    return { items: shown.map(fromEntry), nextCursor, through: audit.at(-1)?.createdAt ?? null };
  };

/** Everything that a person’s timeline is made of. */
export const sourcesOf = (environment: Environment, user: ListedUser): readonly Source<Happening>[] => {
  const wanted = { environment, userId: user.id };
  return [
    verifications(wanted),
    attendance(wanted),
    approvals(wanted),
    entries(environment, user.id),
    ofRecord(environment, user),
  ];
};
