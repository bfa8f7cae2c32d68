import { ScanLine } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button, type Look } from '../../ui/forms/button';
import { lazyComponent } from '../../ui/lazy-component';
import { Needs } from '../nouns/members/needs';

export { givenNameOf, isActive, STATES, useStartRegistration } from './ceremony';

const Form = lazyComponent(() => import('./new-registration').then((found) => found.NewRegistration));

/** The form that starts a registration, on any page of an environment. */
export const RegistrationForm = ({ onClose }: { readonly onClose: () => void }) => (
  <Suspense fallback={null}>
    <Form onClose={onClose} />
  </Suspense>
);

/** Opens the form where it stands. */
export function RegisterPerson({ icon = false, ...look }: Look & { readonly icon?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Needs least="reception">
      <Button {...look} onPointerEnter={Form.preload} onFocus={Form.preload} onClick={() => setOpen(true)}>
        {icon && <ScanLine size={16} aria-hidden="true" />}
        Register a person
      </Button>
      {isOpen && <RegistrationForm onClose={() => setOpen(false)} />}
    </Needs>
  );
}
