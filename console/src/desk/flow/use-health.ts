import type { Profile } from '@svc/sdk';
import { useCallback, useEffect, useState } from 'react';
import { serverNow } from '../../ui/server-time';
import { type Problem, problemOf } from '../device/problem';
import type { DeskService } from '../device/service';
import { endOldWork } from './open-work';

const WELL_MS = 10 * 60_000;
const ILL_MS = 10_000;

export interface Health {
  readonly profile: Profile | undefined;
  /** Why nobody can begin now. Undefined before the first answer, too. */
  readonly problem: Problem | undefined;
}

/** Whether the desk works: asked at the start, after sleep, when the network is back, and from time to time between two people. */
export function useHealth(service: DeskService, isFree: boolean): Health {
  const [profile, setProfile] = useState(keptLooks);
  const [problem, setProblem] = useState<Problem>();
  const [count, setCount] = useState(0);
  const check = useCallback(() => setCount((before) => before + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `count` asks again
  useEffect(() => {
    if (!isFree) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const ask = async () => {
      try {
        await endOldWork(service);
        const found = await service.refresh();
        if (isOver) return;
        setProfile(found);
        keepLooks(found);
        setProblem(navigator.onLine ? undefined : { kind: 'offline' });
        timer = setTimeout(check, WELL_MS);
      } catch (error) {
        if (isOver) return;
        const now = problemOf(error);
        setProblem(now);
        timer = setTimeout(check, now.kind === 'busy' ? Date.parse(now.until) - serverNow() : ILL_MS);
      }
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [service, isFree, count, check]);
  useEffect(() => {
    const wake = () => document.visibilityState === 'visible' && check();
    const offline = () => setProblem({ kind: 'offline' });
    document.addEventListener('visibilitychange', wake);
    addEventListener('online', check);
    addEventListener('offline', offline);
    return () => {
      document.removeEventListener('visibilitychange', wake);
      removeEventListener('online', check);
      removeEventListener('offline', offline);
    };
  }, [check]);
  return { profile, problem };
}

const KEY = 'svc-desk-company';

/** Kept, so that the desk is the company's also without a network. */
function keepLooks(profile: Profile): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(profile));
  } catch {
    // Then it looks like the product until the service responds.
  }
}

function keptLooks(): Profile | undefined {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export const forgetLooks = (): void => localStorage.removeItem(KEY);
