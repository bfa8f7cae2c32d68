import type { PairCode, RegistrationSession } from '@svc/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useSending } from '../../ui/forms/use-sending';
import type { Tone } from '../../ui/layout/surface';
import { REGISTRATIONS, svc } from '../api';
import { useEnvironment } from '../environment';

export type State = RegistrationSession['state'];
export type Profile = Readonly<Record<string, unknown>>;

export const STATES: Readonly<Record<State, readonly [name: string, tone: Tone]>> = {
  awaiting_device: ['waits for the phone', 'info'],
  awaiting_commitment: ['phone paired', 'info'],
  awaiting_verification: ['waits for the proof', 'info'],
  completed: ['completed', 'good'],
  abandoned: ['abandoned', 'bad'],
  expired: ['ran out', 'warn'],
};

export const isMoving = (state: State): boolean => state.startsWith('awaiting_');

/** Whom a ceremony is for, as the profile has it. */
export const nameOf = ({ profile }: Pick<RegistrationSession, 'profile'>): string =>
  typeof profile?.fullName === 'string' ? profile.fullName : 'Nobody named';

/** The first code, which the service shows this once. It stays with this entry of the browser's history, a reload included. */
export type Shown = Pick<PairCode, 'deeplink' | 'expires_at'>;

export const readShown = (state: unknown): Shown | undefined =>
  typeof state === 'object' && state !== null && 'deeplink' in state ? (state as Shown) : undefined;

/** Opens a ceremony and goes to its page, unless who asked has left meanwhile. */
export function useOpenCeremony(then: { readonly replace?: boolean } = {}) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const here = useIsHere();
  return useSending({
    mutationFn: (profile: Profile) =>
      svc.request('consoleCreateRegistration', { query: { environment }, body: { profile } }),
    onSuccess: async ({ session, pair: { deeplink, expires_at } }) => {
      void queries.invalidateQueries({ queryKey: [...REGISTRATIONS, environment] });
      const state: Shown = { deeplink, expires_at };
      if (here.current) await navigate(`/${environment}/registrations/${session.id}`, { ...then, state });
    },
  });
}

function useIsHere(): RefObject<boolean> {
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return here;
}
