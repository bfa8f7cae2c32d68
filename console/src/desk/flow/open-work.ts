import type { DeskService } from '../device/service';

const KEY = 'svc-desk-open';

/** What is on the screen, and has to be ended if the tablet loses power, sleeps or is reloaded. */
interface OpenWork {
  readonly kind: 'registration' | 'sign-in';
  readonly id: string;
}

export function noteWork(work: OpenWork | undefined): void {
  try {
    if (work === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(work));
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

/** Ends what was on the screen before the page was loaded. */
export async function endOldWork(service: DeskService): Promise<void> {
  const work = openWork();
  noteWork(undefined);
  if (work !== undefined) await endWork(service, work);
}

/**
 * Ends a code that nobody waits for any more. A registration that a phone has begun is left to the phone, which finishes it without the
 * desk. What fails expires by itself.
 */
export async function endWork(service: DeskService, { kind, id }: OpenWork): Promise<void> {
  try {
    await service.run(async (svc) => {
      if (kind === 'sign-in') return void (await svc.pairing.cancel({ id }));
      const { state } = await svc.registrations.get(id);
      if (state === 'awaiting_device') await svc.registrations.cancel(id);
    });
  } catch {
    // Its code expires in minutes.
  }
}
