import type { PairCode, RegistrationSession } from '@svc/sdk';
import { useNavigate } from 'react-router';
import type { Tone } from '../../ui/layout/surface';
import { textOfName } from '../nouns/person/person-name';
import type { ListedRegistration } from '../operations/api';
import { useEnvironment } from '../operations/environment';
import { useSend } from '../operations/send';
import { recordIn } from '../paths';
import { useIsMounted } from '../use-is-mounted';

export type State = RegistrationSession['state'];

export const STATES: Readonly<Record<State, readonly [name: string, tone: Tone]>> = {
  awaiting_device: ['Waiting for the phone', 'plain'],
  awaiting_commitment: ['Phone paired', 'plain'],
  awaiting_verification: ['Waiting for the proof', 'plain'],
  pending_recovery: ['Waiting to take over', 'warn'],
  completed: ['Completed', 'good'],
  abandoned: ['Abandoned', 'bad'],
  expired: ['Expired', 'warn'],
};

export const isActive = (state: State): boolean => state.startsWith('awaiting_');

type Named = Pick<ListedRegistration, 'profile' | 'user_name'>;

/** The name in the profile, or that of a person who exists. Empty for an erased person. */
export const givenNameOf = ({ profile, user_name }: Named): string =>
  typeof profile?.fullName === 'string' ? profile.fullName : (user_name ?? 'No name');

export const externalIdOf = ({ profile }: Pick<Named, 'profile'>): string | null =>
  typeof profile?.externalId === 'string' ? profile.externalId : null;

export const nameOf = (session: Named): string => textOfName(givenNameOf(session));

/** The first code, which the service returns only once. It is stored in the browser's history entry, so it survives a reload. */
export type FirstPairCode = Pick<PairCode, 'deeplink' | 'expires_at'> & Partial<Pick<PairCode, 'url'>>;

export const readFirstCode = (state: unknown): FirstPairCode | undefined =>
  typeof state === 'object' && state !== null && 'deeplink' in state ? (state as FirstPairCode) : undefined;

/** Starts a registration and opens its page, unless the user has left the current page in the meantime. */
export function useStartRegistration(then: { readonly replace?: boolean } = {}) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const mounted = useIsMounted();
  return useSend('createRegistration', {
    onSuccess: async ({ session, pair: { deeplink, url, expires_at } }) => {
      const state: FirstPairCode = { deeplink, url, expires_at };
      if (mounted.current)
        await navigate(recordIn(environment, 'registrations', session.id), { ...then, state });
    },
  });
}
