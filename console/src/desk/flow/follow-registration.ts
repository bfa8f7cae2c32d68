import { isSvcError, type RegistrationSession } from '@svc/sdk';
import { serverNow } from '../../ui/server-time';
import { isOffline } from '../device/problem';
import type { DeskService } from '../device/service';
import { profileOf } from './contact';
import { endWork, forgetWork, leaveWork, noteWork, type OpenWork } from './open-work';
import type { Ending, Person } from './scene';

/** Every question counts as a request of the plan. A phone that has begun is done within seconds. */
const WAITING_MS = 3_000;
const BEGUN_MS = 1_500;

/** Somebody who finished while the desk was dark still stands here for so long. */
const STILL_HERE_MS = 60_000;

/** Why a registration is left: by hand, and not because nobody is here any more. */
export const CANCELLED = 'cancelled';

type State = RegistrationSession['state'];

export interface Progress {
  readonly state: State | 'opening';
  readonly code?: string;
  readonly url?: string | undefined;
  readonly expiresAt?: string;
  readonly isLost: boolean;
}

interface Following {
  readonly service: DeskService;
  readonly signal: AbortSignal;
  readonly update: (change: Partial<Progress>) => void;
}

export interface Ended {
  /** `gone` if it was over before the desk found it again. */
  readonly outcome: 'completed' | 'gone' | Ending;
  readonly session?: RegistrationSession | undefined;
}

/** Opens a registration and follows it until its end. */
export async function follow(following: Following, person: Person): Promise<Ended> {
  const { session, pair } = await following.service.run((svc) => svc.registrations.create(profileOf(person)));
  const work = { kind: 'registration', id: session.id } as const;
  noteWork(work);
  following.update({ state: session.state, code: pair.deeplink, url: pair.url, expiresAt: pair.expires_at });
  return untilEnd(following, work, pair.expires_at);
}

/** Follows the registration that a phone had begun before the page was loaded. Nothing of the person was kept here. */
export async function followFound(following: Following, work: OpenWork): Promise<Ended> {
  try {
    const { outcome, session } = await untilEnd(following, work);
    const isHere = session && serverNow() - Date.parse(session.updated_at) < STILL_HERE_MS;
    return isHere ? { outcome, session } : { outcome: 'gone' };
  } catch {
    // The start says what is wrong with the desk.
    return { outcome: 'gone' };
  }
}

/** Without `codeExpiresAt`, a phone has begun. */
async function untilEnd(following: Following, work: OpenWork, codeExpiresAt?: string): Promise<Ended> {
  const { service, signal } = following;
  let noted = work;
  let pause = codeExpiresAt === undefined ? 0 : WAITING_MS;
  // Noted immediately, also while a question is on its way: the start, which is shown next, ends what nobody left.
  const leave = () => {
    if (signal.reason === CANCELLED) void endWork(service, { ...noted, isCancelled: true });
    else leaveWork(service, noted);
  };
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  try {
    for (;;) {
      await sleep(pause, signal);
      if (signal.aborted) return { outcome: 'gone' };
      const session = await sessionOf(following, work.id);
      if (signal.aborted) return { outcome: 'gone' };
      const state = session?.state;
      if (state === 'completed' || state === 'expired' || state === 'abandoned')
        return { outcome: state, session };
      // Only somebody new is registered here.
      if (state === 'pending_recovery') return { outcome: 'abandoned', session };
      const hasBegun = state === 'awaiting_commitment' || state === 'awaiting_verification';
      if (hasBegun && noted.begunAt === undefined) {
        noted = { ...work, begunAt: Date.now() };
        noteWork(noted);
      }
      if (state === 'awaiting_device' && Date.parse(codeExpiresAt ?? '') <= serverNow()) {
        void endWork(service, work);
        return { outcome: 'expired', session };
      }
      pause = hasBegun ? BEGUN_MS : WAITING_MS;
    }
  } finally {
    signal.removeEventListener('abort', leave);
    if (!signal.aborted) forgetWork(work);
  }
}

/** Undefined while the service does not respond. */
async function sessionOf(
  { service, update, signal }: Following,
  id: string,
): Promise<RegistrationSession | undefined> {
  try {
    const session = await service.run((svc) => svc.registrations.get(id));
    update({ state: session.state, isLost: false });
    return session;
  } catch (error) {
    if (isSvcError(error, 'rate_limit_exceeded')) {
      // The code still works.
      await sleep((error.retryAfterSeconds ?? 0) * 1000, signal);
      return undefined;
    }
    if (!isOffline(error)) throw error;
    update({ isLost: true });
    return undefined;
  }
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
    // Not three more seconds after the network is back.
    addEventListener('online', () => resolve(), { once: true, signal });
  });
