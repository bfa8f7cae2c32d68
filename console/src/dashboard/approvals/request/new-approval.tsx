import type { ApprovalCreateParams } from '@svc/sdk';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Cancel, Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/forms/fields/field';
import { detailsOf, Form } from '../../../ui/forms/form';
import { More } from '../../../ui/forms/more';
import { Stack } from '../../../ui/layout/stack';
import { useEnvironment } from '../../operations/environment';
import { useSend } from '../../operations/send';
import { recordIn } from '../../paths';
import { useIsMounted } from '../../use-is-mounted';
import { FieldRows, useFieldRows } from './field-rows';
import type { CreatedState } from './match-code';
import { type Chosen, PeoplePicker } from './people-picker';

const PLAIN = ['title', 'required', 'expiresInSeconds', 'match', 'note', 'reference'] as const;
/** Those below “More”. */
const RARE = ['note', 'reference'];

const EXPIRIES: Readonly<Record<string, string>> = {
  300: '5 minutes',
  3600: '1 hour',
  86400: '1 day',
  604800: '7 days',
};

export function NewApproval({ onClose }: { readonly onClose: () => void }) {
  const request = useRequest();
  const rows = useFieldRows();
  const [people, setPeople] = useState<readonly Chosen[]>([]);
  /** How often the form was sent without people. */
  const [missing, setMissing] = useState(0);
  const { error } = request;
  const fields = useFocusProblem(error, missing);
  const send = (typed: Record<(typeof PLAIN)[number], string>) => {
    if (people.length === 0) {
      setMissing(missing + 1);
      return;
    }
    request.mutate({ body: bodyOf(typed, people, rows.take()) });
  };
  // Stays busy until the next page is displayed, because its script may still be loading.
  const isBusy = request.isPending || request.isSuccess;
  return (
    <Dialog title="Request an approval" busy={isBusy} onClose={onClose}>
      <Form names={[...PLAIN, ...rows.names, 'approvers']} error={error} onSend={send}>
        <Stack ref={fields}>
          <TextField
            label="Title"
            name="title"
            placeholder="Pay an invoice"
            maxLength={80}
            autoComplete="off"
            required
            autoFocus
          />
          <FieldRows of={rows} />
          <PeoplePicker chosen={people} isMissing={missing > 0 && people.length === 0} onChange={setPeople} />
          {people.length > 1 && <Required of={people.length} />}
          <SelectField label="Expires after" name="expiresInSeconds" defaultValue="300">
            {Object.entries(EXPIRIES).map(([seconds, text]) => (
              <option key={seconds} value={seconds}>
                {text}
              </option>
            ))}
          </SelectField>
          <CheckField
            label="Ask for a number"
            name="match"
            hint="The next page shows a number, and approvers type it on their phone."
          />
          <More
            title="More"
            open={detailsOf(error).some(({ path }) => RARE.some((name) => path.endsWith(`.${name}`)))}
          >
            <TextArea label="Note" name="note" rows={3} maxLength={1_000} />
            <TextField
              label="Reference"
              name="reference"
              hint="The ID of this action in your own system."
              maxLength={128}
              autoComplete="off"
            />
          </More>
          {error && <Failure error={error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={isBusy}>
              Send the request
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}

function bodyOf(
  typed: Readonly<Record<(typeof PLAIN)[number], string>>,
  people: readonly Chosen[],
  fields: ReturnType<ReturnType<typeof useFieldRows>['take']>,
): ApprovalCreateParams {
  const [note, reference] = [sound(typed.note), sound(typed.reference)];
  return {
    approvers: people.map(({ id }) => id),
    ...(people.length > 1 && { required: Number(typed.required) }),
    action: {
      title: sound(typed.title),
      fields: fields.map(({ label, value }) => ({ label: sound(label), value: sound(value) })),
      ...(note !== '' && { note }),
      ...(reference !== '' && { reference }),
    },
    expiresInSeconds: Number(typed.expiresInSeconds),
    match: typed.match === '' ? 'off' : 'type',
  };
}

/** The form is longer than most windows, so the first field with a problem gets the focus when there is one. */
function useFocusProblem(...causes: readonly unknown[]): RefObject<HTMLDivElement | null> {
  const fields = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new cause means that a field has a problem
  useEffect(() => fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), causes);
  return fields;
}

/** As an approval may have it: keyboards and clipboards also give decomposed characters. */
const sound = (text: string): string => text.trim().normalize('NFC');

/** Another number of people chooses all of them again. */
const Required = ({ of: all }: { readonly of: number }) => (
  <SelectField key={all} label="How many have to approve" name="required" defaultValue={all}>
    {Array.from({ length: all }, (_, at) => all - at).map((count) => (
      <option key={count} value={count}>
        {count === all ? 'All of them' : `${count} of ${all}`}
      </option>
    ))}
  </SelectField>
);

/** Creates an approval and opens its page, unless the reader has left the current one in the meantime. */
function useRequest() {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const mounted = useIsMounted();
  return useSend('createApproval', {
    onSuccess: async ({ approval: { id, matchCode } }) => {
      const state: CreatedState = matchCode === undefined ? {} : { matchCode };
      if (mounted.current) await navigate(recordIn(environment, 'approvals', id), { state });
    },
  });
}
