import { useEffect } from 'react';
import type { ListedRegistration } from '../operations/api';
import { useEnvironment } from '../operations/environment';
import { isActive } from './ceremony';

/** Reads the registration again whenever its phone has done something, until the ceremony has ended. */
export function useFollowed(session: ListedRegistration | undefined, read: () => void): void {
  const environment = useEnvironment();
  const id = session && isActive(session.state) ? session.id : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reading again changes nothing that is followed
  useEffect(() => {
    if (id === undefined) return;
    const over = new AbortController();
    import('../operations/whole-svc')
      .then(({ wholeSvc }) =>
        wholeSvc.console.registrations(environment).wait(id, {
          ...{ onState: read, onPhoneConnected: read, onLost: read, onResumed: read },
          signal: over.signal,
        }),
      )
      .catch(() => {});
    return () => over.abort();
  }, [id, environment]);
}
