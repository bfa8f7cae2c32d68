import { isOffline } from '../device/problem';
import type { DeskService } from '../device/service';

const KEY = 'svc-desk-open';

/** Longer than somebody waits at a desk that is dark. */
const FOUND_AGAIN_MS = 5 * 60_000;

/** A person who only looks at their phone may seem to have left. The phone can still finish within this time. */
const LEFT_MS = 4 * 60_000;

/** What is on the screen, and has to be ended or found again if the tablet loses power, sleeps or is reloaded. */
export interface OpenWork {
  readonly kind: 'registration' | 'sign-in';
  readonly id: string;
  /** When a phone had begun the registration, by this device's clock. */
  readonly begunAt?: number;
  /** Whether somebody has ended it here, so that a phone that has begun must not finish it. */
  readonly isCancelled?: boolean;
  /** When nobody seemed to be at the desk any more, by this device's clock. */
  readonly leftAt?: number;
}

export function noteWork(work: OpenWork): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(work));
  } catch {
    // Then it expires by itself.
  }
}

function openWork(): OpenWork | undefined {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** The note may be about the next person already. */
export function forgetWork({ id }: OpenWork): void {
  if (openWork()?.id === id) localStorage.removeItem(KEY);
}

/** The registration that a phone had begun shortly before the page was loaded. */
export function begunRegistration(): OpenWork | undefined {
  const work = openWork();
  if (work?.begunAt === undefined || work.isCancelled) return undefined;
  return Math.abs(Date.now() - work.begunAt) < FOUND_AGAIN_MS ? work : undefined;
}

/** Ends what is left of the person before, such as after a reload or without a network. */
export async function endOldWork(service: DeskService): Promise<void> {
  const work = openWork();
  const isLeft = work?.leftAt !== undefined && Math.abs(Date.now() - work.leftAt) < LEFT_MS;
  if (work !== undefined && !isLeft) await endWork(service, work);
}

/** Nobody seems to be here, but a phone may be showing what it has read of the code: it is ended later, unless the phone begins. */
export function leaveWork(service: DeskService, work: OpenWork): void {
  noteWork({ ...work, leftAt: Date.now() });
  setTimeout(() => void endWork(service, work), LEFT_MS);
}

/**
 * Ends a code that nobody waits for any more. A registration that a phone has begun is left to the phone, which finishes it without the
 * desk, unless somebody has cancelled it. Without a network it stays noted, and is ended later.
 */
export async function endWork(service: DeskService, work: OpenWork): Promise<void> {
  const { kind, id, isCancelled } = work;
  if ((openWork() ?? work).id === id) noteWork(work);
  try {
    await service.run(async (svc) => {
      if (kind === 'sign-in') return void (await svc.pairing.cancel({ id }));
      const isLeft = !isCancelled && (await svc.registrations.get(id)).state !== 'awaiting_device';
      if (!isLeft) await svc.registrations.cancel(id);
    });
  } catch (error) {
    if (isOffline(error)) return;
    // It has ended, or expires in minutes.
  }
  forgetWork(work);
}
