import type { BoundPairing } from '@svc/sdk';
import { useEffect, useRef, useState } from 'react';
import { useSending } from '../../ui/forms/use-sending';
import { useEnvironment } from '../operations/environment';
import { useReloadAfter } from '../operations/send';
import { showCode, type Waiting } from './waiting';

export function useSignIn() {
  const environment = useEnvironment();
  const [waiting, setWaiting] = useState<Waiting>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const update = (change: Partial<Waiting>) => setWaiting((now) => now && { ...now, ...change });
  const refresh = useReloadAfter('createPairingSession');
  const signIn = useSending({
    mutationFn: async (): Promise<BoundPairing | undefined> => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      let shown = '';
      try {
        const { wholeSvc } = await import('../operations/whole-svc');
        return await wholeSvc.console.pairing(environment).signIn({
          onCode: (pairing) => {
            setWaiting((before) => showCode(before, pairing));
            if (shown !== pairing.id) void refresh();
            shown = pairing.id;
          },
          onPhoneConnected: () =>
            setWaiting((now) => now && { ...now, phones: now.phones + 1, rejection: undefined }),
          onLost: (lost) => update({ lost }),
          onResumed: () => update({ lost: undefined }),
          onRefused: ({ message }) => update({ rejection: message }),
          onExpired: () => update({ hasExpired: true, rejection: undefined }),
          signal: controller.signal,
        });
      } catch (error) {
        if (controller.signal.aborted) return undefined;
        throw error;
      } finally {
        setWaiting(undefined);
        void refresh();
      }
    },
  });
  return { signIn, waiting, stop: () => running.current?.abort() };
}
