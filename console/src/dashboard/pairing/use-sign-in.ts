import type { BoundPairing, Pairing, SvcError } from '@svc/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSending } from '../../ui/forms/use-sending';
import { AUDIT, PAIRINGS, svc } from '../api';
import { useEnvironment } from '../environment';

/** What a desktop shows while it waits. */
export interface Waiting {
  readonly pairing: Pairing;
  /** Why the session cannot be seen at present. */
  readonly lost?: SvcError | undefined;
  /** A phone's proof that was refused; the code is still good. */
  readonly refusal?: string | undefined;
  readonly ranOut?: boolean;
  /** How many codes ran out before this one. */
  readonly before: number;
}

/** A desktop that waits until somebody signs in, or until it is told to stop. */
export function useSignIn() {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState<Waiting>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const note = (change: Partial<Waiting>) => setWaiting((now) => now && { ...now, ...change });
  const refresh = () => queries.invalidateQueries({ queryKey: [...PAIRINGS, environment] });
  const signIn = useSending({
    mutationFn: async (): Promise<BoundPairing | undefined> => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      try {
        return await svc.console.pairing(environment).signIn({
          onCode: (pairing) => {
            setWaiting((before) => ({ pairing, before: before === undefined ? 0 : before.before + 1 }));
            void refresh();
          },
          onLost: (lost) => note({ lost }),
          onResumed: () => note({ lost: undefined }),
          onRefused: ({ message }) => note({ refusal: message }),
          onExpired: () => note({ ranOut: true, refusal: undefined }),
          signal: controller.signal,
        });
      } catch (error) {
        if (controller.signal.aborted) return undefined;
        throw error;
      } finally {
        setWaiting(undefined);
        void refresh();
        void queries.invalidateQueries({ queryKey: [...AUDIT, environment] });
      }
    },
  });
  return { signIn, waiting, stop: () => running.current?.abort() };
}
