import type { Operations } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Environment, svc } from '../../api';
import { useAccount } from '../../session';

/** Which steps an account has completed, by clicks or by API. */
export interface Progress {
  readonly person: boolean;
  readonly verification: boolean;
  readonly key: boolean;
  readonly place: boolean;
  readonly webhook: boolean;
}

type Counts = Operations['consoleGetOverview']['reply']['counts'];

/** An account with more verifications than this needs no first steps. */
const IN_USE = 50;

const HIDDEN = 'first-steps-hidden';

/** Whether this browser hides the first steps of this account. */
function useHidden(): readonly [boolean, () => void] {
  const id = useAccount().data?.tenant.id ?? '';
  const [hidden, setHidden] = useState(() => (localStorage.getItem(HIDDEN) ?? '').split(' '));
  return [
    hidden.includes(id),
    () => {
      const after = [...hidden, id];
      localStorage.setItem(HIDDEN, after.join(' ').trim());
      setHidden(after);
    },
  ];
}

/** Undefined until it is known, and for an account that needs no first steps. */
export function useProgress(
  environment: Environment,
  counts: Counts | undefined,
  webhooks: number | undefined,
): {
  readonly isPending: boolean;
  readonly progress: Progress | undefined;
  /** The test environment has a verification, for example a first proof made by one click. */
  readonly isTried: boolean;
  readonly hide: () => void;
} {
  const [isHidden, hide] = useHidden();
  const isNew = counts !== undefined && counts.verifications <= IN_USE && !isHidden;
  const made = useQuery({
    queryKey: ['first-steps', environment],
    staleTime: 0,
    enabled: isNew,
    queryFn: ({ signal }) => readMade(environment, signal),
  });
  if (!isNew || made.data === undefined || webhooks === undefined)
    return { isPending: isNew && made.isPending, progress: undefined, isTried: false, hide };
  const { isTried, ...done } = made.data;
  const progress = {
    person: counts.users > 0,
    verification: counts.verifications > 0,
    webhook: webhooks > 0,
    ...done,
  };
  const isComplete = Object.values(progress).every(Boolean);
  return { isPending: false, progress: isComplete ? undefined : progress, isTried, hide };
}

/** The keys, applications and kiosks of the account, and whether it tried a proof. */
async function readMade(environment: Environment, signal: AbortSignal) {
  const query = { environment, limit: 100 };
  const [{ keys }, { clients }, { devices }, { verifications }] = await Promise.all([
    svc.console.keys.list({ limit: 100 }, { signal }), // the active ones come first
    svc.request('consoleListOidcClients', { query: { environment, limit: 1 } }, { signal }),
    svc.request('consoleListDevices', { query }, { signal }),
    svc.request('listVerifications', { query: { environment: 'test', limit: 1 } }, { signal }),
  ]);
  return {
    isTried: verifications.length > 0,
    key: keys.some((key) => key.environment === environment && key.lastUsedAt !== null),
    place: clients.length > 0 || devices.some(({ keyThumbprint }) => keyThumbprint !== null),
  };
}
