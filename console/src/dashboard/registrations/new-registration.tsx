import { useState } from 'react';
import { Link } from 'react-router';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextArea } from '../../ui/forms/fields/field';
import { Form } from '../../ui/forms/form';
import { More } from '../../ui/forms/more';
import { Stack } from '../../ui/layout/stack';
import { PERSON_FIELD_NAMES } from '../nouns/person/person-fields';
import { PersonInputs, typedOf } from '../nouns/person/person-inputs';
import { useEnvironment } from '../operations/environment';
import { pageIn } from '../paths';
import { useStartRegistration } from './ceremony';

const FIELDS = [...PERSON_FIELD_NAMES, 'metadata'] as const;

export function NewRegistration({ onClose }: { readonly onClose: () => void }) {
  const environment = useEnvironment();
  const open = useStartRegistration();
  const [fault, setFault] = useState<string>();
  const send = ({ metadata: text, ...person }: Record<(typeof FIELDS)[number], string>) => {
    const metadata = readMetadata(text.trim());
    setFault(metadata === undefined ? 'Enter a JSON object, for example {"team": "A"}.' : undefined);
    if (metadata === undefined) return;
    const filled = Object.entries(typedOf(person)).filter(([, value]) => value !== null);
    open.mutate({
      body: {
        profile: { ...Object.fromEntries(filled), ...(Object.keys(metadata).length > 0 && { metadata }) },
      },
    });
  };
  // Stays busy until the next page is displayed, because its script may still be loading.
  const isBusy = open.isPending || open.isSuccess;
  return (
    <Dialog title="Register a person" busy={isBusy} onClose={onClose}>
      <Form names={FIELDS} error={open.error} onSend={send}>
        <Stack>
          <PersonInputs />
          <More title="More" open={fault !== undefined || open.isError}>
            <TextArea
              label="Metadata"
              name="metadata"
              rows={3}
              hint="A JSON object of your own, stored with the person."
              error={fault}
              spellCheck={false}
            />
          </More>
          <p>
            At a reception, people type this themselves:{' '}
            <Link to={pageIn(environment, 'devices')} onClick={onClose}>
              set up a desk
            </Link>
            .
          </p>
          {open.error && <Failure error={open.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={isBusy}>
              Start registration
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}

/** Returns undefined if the text is not a JSON object. */
function readMetadata(text: string): object | undefined {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
