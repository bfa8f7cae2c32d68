import { type BoundPairing, isSvcError, type Pairing } from '@svc/sdk';
import { useEffect, useState } from 'react';
import type { DeskService } from '../device/service';
import { endWork, forgetWork, noteWork } from './open-work';
import type { Ending } from './scene';

export interface SigningIn {
  readonly pairing?: Pairing;
  /** The code on the screen, which moves. */
  readonly code?: string;
  readonly url?: string | undefined;
  /** How many phones have opened the code. */
  readonly phones: number;
  readonly isLost: boolean;
  /** The service refused the phone that opened the code last. It may give up, and the next one needs the code. */
  readonly isRefused: boolean;
}

const ENDINGS = {
  pairing_session_expired: 'expired',
  pairing_session_closed: 'declined',
  pairing_match_failed: 'rejected',
} as const satisfies Record<string, Ending>;

/** Opens a pairing session and follows it until somebody has signed in. Leaving it cancels its code. */
export function useSignIn(
  service: DeskService,
  on: {
    readonly signedIn: (name: string | null) => void;
    readonly ended: (how: Ending) => void;
    readonly error: (error: unknown) => void;
  },
): SigningIn {
  const [shown, setShown] = useState<SigningIn>({ phones: 0, isLost: false, isRefused: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: one session for each attempt
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    follow(service, (change) => signal.aborted || setShown(change), signal).then(
      ({ userName }) => signal.aborted || on.signedIn(userName ?? null),
      (error: unknown) => {
        if (signal.aborted) return;
        if (isSvcError(error, ...(Object.keys(ENDINGS) as (keyof typeof ENDINGS)[])))
          on.ended(ENDINGS[error.code as keyof typeof ENDINGS]);
        else on.error(error);
      },
    );
    return () => over.abort();
  }, []);
  return shown;
}

/** What people's phones show of the desk, if the service takes it. */
const applicationOf = (name: string) =>
  /^[\p{L}\p{N}\p{P} ]{1,40}$/u.test(name) ? { application: name } : {};

async function follow(
  service: DeskService,
  update: (change: (before: SigningIn) => SigningIn) => void,
  signal: AbortSignal,
): Promise<BoundPairing> {
  const context = applicationOf(service.device.name);
  const pairing = await service.run((svc) => svc.pairing.create({ context }));
  const work = { kind: 'sign-in', id: pairing.id } as const;
  noteWork(work);
  const set = (change: Partial<SigningIn>) => update((before) => ({ ...before, ...change }));
  set({ pairing, code: pairing.qrPayload, url: pairing.url });
  try {
    const bound = await service.run((svc) =>
      svc.pairing.wait(pairing, {
        onQr: (code, url) => set({ code, ...(url !== undefined && { url }) }),
        onPhoneConnected: () =>
          update((before) => ({ ...before, phones: before.phones + 1, isRefused: false })),
        onLost: () => set({ isLost: true }),
        onResumed: () => set({ isLost: false }),
        onRefused: () => set({ isRefused: true }),
        signal,
      }),
    );
    // The desk only greets, so nobody stays signed in here.
    void service.run((svc) => svc.sessions.logOut(bound.tokens.accessToken)).catch(() => {});
    return bound;
  } finally {
    if (signal.aborted) void endWork(service, work);
    else forgetWork(work);
  }
}
