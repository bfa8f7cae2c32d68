import type { PairCode, RegistrationSession } from '@svc/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useSending } from '../../ui/forms/use-sending';
import type { Tone } from '../../ui/layout/surface';
import { REGISTRATIONS, svc } from '../api';
import { useEnvironment } from '../environment';
import { recordIn } from '../paths';

export type State = RegistrationSession['state'];
export type Profile = Readonly<Record<string, unknown>>;

export const STATES: Readonly<Record<State, readonly [name: string, tone: Tone]>> = {
  awaiting_device: ['Waiting for the phone', 'plain'],
  awaiting_commitment: ['Phone paired', 'plain'],
  awaiting_verification: ['Waiting for the proof', 'plain'],
  completed: ['Completed', 'good'],
  abandoned: ['Abandoned', 'bad'],
  expired: ['Expired', 'warn'],
};

export const isActive = (state: State): boolean => state.startsWith('awaiting_');

export const nameOf = ({ profile }: Pick<RegistrationSession, 'profile'>): string =>
  typeof profile?.fullName === 'string' ? profile.fullName : 'No name';

/** The first code, which the service returns only once. It is stored in the browser's history entry, so it survives a reload. */
export type FirstPairCode = Pick<PairCode, 'deeplink' | 'expires_at'>;

export const readFirstCode = (state: unknown): FirstPairCode | undefined =>
  typeof state === 'object' && state !== null && 'deeplink' in state ? (state as FirstPairCode) : undefined;

/** Starts a registration and opens its page, unless the user has left the current page in the meantime. */
export function useStartRegistration(then: { readonly replace?: boolean } = {}) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mounted = useIsMounted();
  return useSending({
    mutationFn: (profile: Profile) =>
      svc.request('createRegistration', { query: { environment }, body: { profile } }),
    onSuccess: async ({ session, pair: { deeplink, expires_at } }) => {
      void queries.invalidateQueries({ queryKey: [...REGISTRATIONS, environment] });
      const state: FirstPairCode = { deeplink, expires_at };
      if (mounted.current)
        await navigate(recordIn(environment, 'registrations', session.id), { ...then, state });
    },
  });
}

function useIsMounted(): RefObject<boolean> {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return mounted;
}
