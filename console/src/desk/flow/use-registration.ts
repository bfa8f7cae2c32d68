import { type RegistrationSession, SvcError } from '@svc/sdk';
import { useEffect, useState } from 'react';
import { serverNow } from '../../ui/server-time';
import { isOffline } from '../device/problem';
import type { DeskService } from '../device/service';
import { profileOf } from './contact';
import { endWork, noteWork } from './open-work';
import type { Ending, Person } from './scene';

/** Every question counts as a request of the plan. A phone that has begun is done within seconds. */
const WAITING_MS = 3_000;
const BEGUN_MS = 1_500;

export interface Registering {
  readonly state: RegistrationSession['state'] | 'opening';
  readonly code?: string;
  readonly url?: string | undefined;
  readonly expiresAt?: string;
  readonly isLost: boolean;
}

type Outcome = 'completed' | Ending;

/** Opens a registration and follows it until its end. Leaving it cancels a code that no phone has taken. */
export function useRegistration(
  service: DeskService,
  person: Person,
  on: { readonly outcome: (outcome: Outcome) => void; readonly error: (error: unknown) => void },
): Registering {
  const [shown, setShown] = useState<Registering>({ state: 'opening', isLost: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: one registration for each attempt
  useEffect(() => {
    const over = new AbortController();
    const update = (change: Partial<Registering>) =>
      over.signal.aborted || setShown((before) => ({ ...before, ...change }));
    follow(service, person, update, over.signal).then(
      (outcome) => over.signal.aborted || on.outcome(outcome),
      (error: unknown) => over.signal.aborted || on.error(error),
    );
    return () => over.abort();
  }, []);
  return shown;
}

async function follow(
  service: DeskService,
  person: Person,
  update: (change: Partial<Registering>) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  const { session, pair } = await service.run((svc) => svc.registrations.create(profileOf(person)));
  const work = { kind: 'registration', id: session.id } as const;
  noteWork(work);
  update({ state: session.state, code: pair.deeplink, url: pair.url, expiresAt: pair.expires_at });
  try {
    return await untilEnd(service, session.id, pair.expires_at, update, signal);
  } finally {
    noteWork(undefined);
    if (signal.aborted) void endWork(service, work);
  }
}

async function untilEnd(
  service: DeskService,
  id: string,
  codeExpiresAt: string,
  update: (change: Partial<Registering>) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  let pause = WAITING_MS;
  for (;;) {
    await sleep(pause, signal);
    if (signal.aborted) return 'abandoned';
    const state = await stateOf(service, id, update);
    if (state === 'completed' || state === 'expired' || state === 'abandoned') return state;
    // Only somebody new is registered here.
    if (state === 'pending_recovery') return 'abandoned';
    const hasBegun = state !== undefined && state !== 'awaiting_device';
    if (state === 'awaiting_device' && Date.parse(codeExpiresAt) <= serverNow()) {
      void endWork(service, { kind: 'registration', id });
      return 'expired';
    }
    pause = hasBegun ? BEGUN_MS : WAITING_MS;
  }
}

/** Undefined while the service does not respond. */
async function stateOf(
  service: DeskService,
  id: string,
  update: (change: Partial<Registering>) => void,
): Promise<RegistrationSession['state'] | undefined> {
  try {
    const { state } = await service.run((svc) => svc.registrations.get(id));
    update({ state, isLost: false });
    return state;
  } catch (error) {
    const isPassing = isOffline(error) || (error instanceof SvcError && error.code === 'rate_limit_exceeded');
    if (!isPassing) throw error;
    update({ isLost: true });
    return undefined;
  }
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
    // Not three more seconds after the network is back.
    addEventListener('online', () => resolve(), { once: true, signal });
  });
