import {
  isSvcError,
  type Punch,
  type ShownAttendanceCode,
  type SvcDevice,
  watchAttendanceCode,
} from '@svc/sdk';
import { useEffect, useRef, useState } from 'react';
import { serverNow } from '../../ui/server-time';
import { type Problem, problemOf } from '../device/problem';
import type { DeskService } from '../device/service';

const RETRY_MS = 10_000;

export interface ShownCode {
  readonly code: ShownAttendanceCode | undefined;
  /** Why there is no code. */
  readonly problem: Problem | undefined;
  /** Of the desk's site. Undefined: that of this browser. */
  readonly timeZone: string | undefined;
  /** Whether the site has breaks. */
  readonly hasBreaks: boolean;
}

/** The code of this desk, which moves. Without a network there is none, and it comes back by itself. */
export function useAttendanceCode(service: DeskService, onPunch: (punch: Punch) => void): ShownCode {
  const isOnline = useOnline();
  const [shown, setShown] = useState<Pick<ShownCode, 'code' | 'problem'>>(NOTHING);
  const [site, setSite] = useState<Pick<ShownCode, 'timeZone' | 'hasBreaks'>>(NO_SITE);
  const punched = useRef(onPunch);
  punched.current = onPunch;
  useEffect(() => {
    setShown(isOnline ? NOTHING : { code: undefined, problem: { kind: 'offline' } });
    if (!isOnline) return;
    const over = new AbortController();
    const { signal } = over;
    const set = (next: Pick<ShownCode, 'code' | 'problem'>) => signal.aborted || setShown(next);
    let isAsked = false;
    const readSite = async (svc: SvcDevice, code: string) => {
      if (isAsked) return;
      isAsked = true;
      const { context } = await svc.request('getAttendanceContext', { query: { code } }, { signal });
      setSite({ timeZone: context.timeZone ?? undefined, hasBreaks: context.breaks });
    };
    void followed(service, {
      signal,
      onPunch: (punch) => signal.aborted || punched.current(punch),
      onProblem: (problem) => set({ code: undefined, problem }),
      onCode: (svc, code) => {
        set({ code, problem: undefined });
        // The times are those of this browser without it.
        readSite(svc, code.value).catch(() => {});
      },
    });
    return () => over.abort();
  }, [service, isOnline]);
  return { ...shown, ...site };
}

const NO_SITE = { timeZone: undefined, hasBreaks: true } as const;
const NOTHING = { code: undefined, problem: undefined } as const;

interface Following {
  readonly signal: AbortSignal;
  readonly onCode: (svc: SvcDevice, code: ShownAttendanceCode) => void;
  readonly onPunch: (punch: Punch) => void;
  readonly onProblem: (problem: Problem) => void;
}

/** Follows the code until the signal aborts it, in one session of the device after another. */
async function followed(
  service: DeskService,
  { signal, onCode, onPunch, onProblem }: Following,
): Promise<void> {
  let hasWorked = false;
  const watch = (svc: SvcDevice) =>
    watchAttendanceCode(svc, {
      onPunch,
      onCode(code) {
        hasWorked = true;
        onCode(svc, code);
      },
      onLost: (error) => onProblem(problemOf(error)),
      signal,
    });
  while (!signal.aborted) {
    try {
      await service.run(watch);
    } catch (error) {
      // The session has lasted its time.
      const isOver = hasWorked && isSvcError(error, 'device_session_invalid');
      hasWorked = false;
      if (signal.aborted || isOver) continue;
      const problem = problemOf(error);
      onProblem(problem);
      await pause(problem.kind === 'busy' ? Date.parse(problem.until) - serverNow() : RETRY_MS, signal);
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const check = () => setOnline(navigator.onLine);
    for (const event of ['online', 'offline']) addEventListener(event, check);
    return () => {
      for (const event of ['online', 'offline']) removeEventListener(event, check);
    };
  }, []);
  return isOnline;
}
