import { useState } from 'react';
import { Button } from '../../../ui/forms/button';
import { confirmOf } from '../../records/confirm-of';

/** Records what the company says, beside what the person says. */
export function RecordAsserted({ id }: { readonly id: string }) {
  const [isAsked, ask] = useState(false);
  return (
    <>
      <Button small onClick={() => ask(true)}>
        Record it
      </Button>
      {isAsked && <Record id={id} onClose={() => ask(false)} />}
    </>
  );
}

const Record = confirmOf({
  operation: 'recordCorrection',
  input: ({ id }: { readonly id: string }) => ({ path: { id } }),
  title: 'Record it without the person’s agreement?',
  action: 'Record it',
  look: 'primary',
  done: 'Recorded',
  text: 'The new events are added as recorded by the company. What the person did themselves stays and counts. Sheets show both, and the phone of the person says so. This can’t be undone.',
});
