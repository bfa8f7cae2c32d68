import { useEffect } from 'react';
import { useHeldNavigation } from '../router/browser-router';
import { Confirm } from './confirm';

/** While there are changes, asks before the reader leaves the page, reloads it or closes the tab. */
export function UnsavedChanges({ exist }: { readonly exist: boolean }) {
  const held = useHeldNavigation(exist);
  useEffect(() => {
    if (!exist) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [exist]);
  if (held === undefined) return null;
  return (
    <Confirm
      title="Discard your changes?"
      action="Discard changes"
      busy={false}
      error={null}
      onConfirm={held.proceed}
      onClose={held.stay}
    >
      You have changes that are not saved.
    </Confirm>
  );
}
