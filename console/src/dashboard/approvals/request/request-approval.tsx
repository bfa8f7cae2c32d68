import { BadgeCheck } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { lazyComponent } from '../../../ui/lazy-component';
import { Needs } from '../../nouns/members/needs';

const Form = lazyComponent(() => import('./new-approval').then((found) => found.NewApproval));

/** Opens the form that asks people of the test environment, which shows what a backend does with a request. */
export function RequestApproval({ primary = false }: { readonly primary?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Needs least="developer">
      <Button
        {...(primary && { look: 'primary' })}
        onPointerEnter={Form.preload}
        onFocus={Form.preload}
        onClick={() => setOpen(true)}
      >
        <BadgeCheck size={16} aria-hidden="true" />
        Request an approval
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <Form onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Needs>
  );
}
