import type { PairCode, RegistrationSession } from '@svc/sdk';
import { serverNow } from '../../ui/server-time';
import type { DeskService } from '../device/service';
import { profileOf } from './contact';
import { endWork, forgetWork, leaveWork, noteWork, type OpenWork } from './open-work';
import type { Ending, Person } from './scene';

/** Somebody who finished while the desk was dark still stands here for so long. */
const STILL_HERE_MS = 60_000;

/** Why a registration is left: by hand, and not because nobody is here any more. */
export const CANCELLED = 'cancelled';

type State = RegistrationSession['state'];

export interface Progress {
  readonly state: State | 'opening';
  /** A phone shows who it is registered with. It can be anybody's until it has begun. */
  readonly isOpened?: boolean;
  readonly code?: string;
  readonly url?: string | undefined;
  readonly expiresAt?: string;
  readonly isLost: boolean;
}

export interface Following {
  readonly service: DeskService;
  readonly signal: AbortSignal;
  readonly update: (change: Partial<Progress>) => void;
}

/** A registration that the service has created, and the code to show. */
export interface Opened {
  readonly session: RegistrationSession;
  readonly pair: PairCode;
}

export interface Ended {
  /** `gone` if it was over before the desk found it again. */
  readonly outcome: 'completed' | 'pending_recovery' | 'gone' | Ending;
  readonly session?: RegistrationSession | undefined;
}

/** Opens a registration and follows it until its end. */
export async function follow(following: Following, person: Person): Promise<Ended> {
  return followOpened(
    following,
    await following.service.run((svc) => svc.registrations.create(profileOf(person))),
  );
}

/** Follows one that is open until its end. */
export async function followOpened(following: Following, { session, pair }: Opened): Promise<Ended> {
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
  const { service, signal, update } = following;
  let noted = work;
  // Noted immediately, also while a request is on its way: the start, which is shown next, ends what nobody left.
  const leave = () => {
    if (signal.reason === CANCELLED) void endWork(service, { ...noted, isCancelled: true });
    else leaveWork(service, noted);
  };
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  const over = new AbortController();
  const stop = () => over.abort();
  signal.addEventListener('abort', stop);
  const timer = codeExpiresAt !== undefined && setTimeout(stop, Date.parse(codeExpiresAt) - serverNow());
  const onState = ({ state }: RegistrationSession) => {
    update({ state, isLost: !navigator.onLine });
    const hasBegun = state === 'awaiting_commitment' || state === 'awaiting_verification';
    if (!hasBegun) return;
    if (timer) clearTimeout(timer);
    if (noted.begunAt === undefined) {
      noted = { ...work, begunAt: Date.now() };
      noteWork(noted);
    }
  };
  const unwatch = watchNetwork((isLost) => update({ isLost }));
  try {
    const session = await service.run((svc) =>
      svc.registrations.wait(work.id, {
        onState,
        onPhoneConnected: () => update({ isOpened: true }),
        onLost: () => update({ isLost: true }),
        onResumed: () => update({ isLost: !navigator.onLine }),
        signal: over.signal,
      }),
    );
    if (signal.aborted) return { outcome: 'gone' };
    const { state } = session;
    const hasEnded = state === 'completed' || state === 'pending_recovery' || state === 'expired';
    return { outcome: hasEnded ? state : 'abandoned', session };
  } catch (error) {
    if (signal.aborted) return { outcome: 'gone' };
    if (!over.signal.aborted) throw error;
    void endWork(service, work);
    return { outcome: 'expired' };
  } finally {
    if (timer) clearTimeout(timer);
    unwatch();
    signal.removeEventListener('abort', leave);
    signal.removeEventListener('abort', stop);
    if (!signal.aborted) forgetWork(work);
  }
}

/** The browser knows that there is no network before a stream notices, also while its last event arrives. Returns what ends the watch. */
function watchNetwork(tell: (isLost: boolean) => void): () => void {
  const check = () => tell(!navigator.onLine);
  for (const event of ['offline', 'online']) addEventListener(event, check);
  return () => {
    for (const event of ['offline', 'online']) removeEventListener(event, check);
  };
}
