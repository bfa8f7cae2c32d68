import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Confirm } from './confirm';

/** While there are changes, asks before the reader leaves the page, reloads it or closes the tab. */
export function UnsavedChanges({ exist }: { readonly exist: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => exist && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!exist) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [exist]);
  if (blocker.state !== 'blocked') return null;
  return (
    <Confirm
      title="Discard your changes?"
      action="Discard changes"
      busy={false}
      error={null}
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    >
      You have changes that are not saved.
    </Confirm>
  );
}
