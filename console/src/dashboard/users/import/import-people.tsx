import { Suspense, useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { lazyComponent } from '../../../ui/lazy-component';
import { Needs } from '../../nouns/members/needs';

const ImportDialog = lazyComponent(() => import('./import-dialog').then((found) => found.ImportDialog));

export function ImportPeople() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Needs least="developer">
      <Button
        onPointerEnter={ImportDialog.preload}
        onFocus={ImportDialog.preload}
        onClick={() => setOpen(true)}
      >
        Import
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ImportDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Needs>
  );
}
