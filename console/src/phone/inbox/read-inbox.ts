import { isSvcError } from '@svc/sdk';
import { type Inbox as InboxOf, readInbox as prove, readInboxAgain, type Watch } from '@svc/sdk/phone';
import { phoneWith, type ThisPhone } from '../ports/ports';
import { hasScreenLock, type Identity } from '../vault/identities';
import type { Waiting } from './waiting';

/** What waits for the people of this phone's identities. */
export interface Inbox {
  readonly waiting: readonly Waiting[];
  /** How many were not shown, because they are not as the service has to send them. */
  readonly unreadable: number;
  /** Why an identity could not be asked for. The others were. */
  readonly error?: unknown;
}

export const INBOX = ['inbox'] as const;

/** The tokens that read the inbox of an identity again, by its ID. Never stored, so they are gone with the page. */
const tokens = new Map<string, { readonly token: string; readonly isLocked: boolean }>();

/** Whether an inbox was opened and can be read again. */
export const isOpen = (): boolean => tokens.size > 0;

/** Whether the inbox of this identity was opened and can be read again. */
export const isOpenFor = ({ id }: Identity): boolean => tokens.has(id);

/** The page was left: what a screen lock protects can't be read again without it. */
export function lockInbox(): void {
  for (const [id, opened] of tokens) if (opened.isLocked) tokens.delete(id);
}

/**
 * Proves for each identity that it is this phone's, and lists what waits. Two identities are asked for in parallel. Those with a screen
 * lock come one after the other, because the phone can ask for one at a time.
 * @throws the first error if no inbox could be read
 */
export async function openInbox(
  identities: readonly Identity[],
  watch: Watch,
  newPhone: () => ThisPhone = phoneWith,
): Promise<Inbox> {
  const read: Inbox[] = [];
  const errors: unknown[] = [];
  const lane = async (next: Iterable<Identity>) => {
    for (const identity of next)
      try {
        read.push(await openAs(newPhone(), identity, watch));
      } catch (error) {
        errors.push(error);
      }
  };
  const unlocked = identities.filter((identity) => !hasScreenLock(identity)).values();
  await Promise.all([lane(unlocked), lane(unlocked), lane(identities.filter(hasScreenLock))]);
  if (read.length === 0 && errors.length > 0) throw errors[0];
  // An identity that is not in force has no inbox. The phone shows that elsewhere.
  const error = errors.find((each) => !isSvcError(each, 'verification_failed'));
  return joined(read, error);
}

/** Reads the open inboxes again. Null if none is open. */
export async function readInbox(
  identities: readonly Identity[],
  watch: Watch,
  newPhone: () => ThisPhone = phoneWith,
): Promise<Inbox | null> {
  // One that was removed from the phone has no inbox.
  for (const id of tokens.keys()) if (!identities.some((identity) => identity.id === id)) tokens.delete(id);
  const open = identities.filter(({ id }) => tokens.has(id));
  const read = await Promise.all(open.map((identity) => readAs(newPhone(), identity, watch)));
  return isOpen() ? joined(read, undefined) : null;
}

async function openAs(phone: ThisPhone, identity: Identity, watch: Watch): Promise<Inbox> {
  const inbox = await prove(phone, identity.id, watch);
  tokens.set(identity.id, { token: inbox.inboxToken, isLocked: hasScreenLock(identity) });
  return inboxOf(identity, inbox);
}

const NOTHING: Inbox = { waiting: [], unreadable: 0 };

async function readAs(phone: ThisPhone, identity: Identity, watch: Watch): Promise<Inbox> {
  try {
    const token = tokens.get(identity.id)?.token ?? '';
    return inboxOf(identity, await readInboxAgain(phone, identity, token, watch));
  } catch (error) {
    if (!isSvcError(error, 'verification_failed')) throw error;
    // The token has expired, or the identity is no longer in force.
    tokens.delete(identity.id);
    if (hasScreenLock(identity)) return NOTHING;
  }
  return openAs(phone, identity, watch).catch((error) => {
    if (isSvcError(error, 'verification_failed')) return NOTHING;
    throw error;
  });
}

const inboxOf = (identity: Identity, { statements, unreadable }: InboxOf): Inbox => ({
  waiting: statements.map((statement) => ({ identity, statement })),
  unreadable,
});

/** All in one. What ends first comes first, and each approval once, also if two identities are the same person's. */
function joined(read: readonly Inbox[], error: unknown): Inbox {
  const byId = new Map<string, Waiting>();
  for (const each of read.flatMap(({ waiting }) => waiting))
    if (!byId.has(each.statement.approvalId)) byId.set(each.statement.approvalId, each);
  return {
    waiting: [...byId.values()].sort((left, right) =>
      left.statement.expiresAt.localeCompare(right.statement.expiresAt),
    ),
    unreadable: read.reduce((sum, { unreadable }) => sum + unreadable, 0),
    ...(error !== undefined && { error }),
  };
}
