import { useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { confirmOf } from '../../records/confirm-of';
import { t } from '../language/strings';

/** Records what the company says, beside what the person says. */
export function RecordAsserted({ id }: { readonly id: string }) {
  const [isAsked, ask] = useState(false);
  return (
    <>
      <Button small onClick={() => ask(true)}>
        {t.corrections.record}
      </Button>
      {isAsked && <Record id={id} onClose={() => ask(false)} />}
    </>
  );
}

const Record = confirmOf({
  operation: 'recordCorrection',
  input: ({ id }: { readonly id: string }) => ({ path: { id } }),
  title: () => t.corrections.recordTitle,
  action: () => t.corrections.record,
  look: 'primary',
  done: () => t.corrections.recorded,
  text: () => t.corrections.recordText,
});
