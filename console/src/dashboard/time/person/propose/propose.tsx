import type { PersonSheet, Site } from '@svc/sdk';
import { type Dispatch, type SetStateAction, useState } from 'react';
import { Cancel, Dialog, DialogActions } from '../../../../ui/dialogs/dialog';
import { Failure } from '../../../../ui/failure';
import { Button } from '../../../../ui/forms/button';
import { SelectField, TextArea } from '../../../../ui/forms/fields/field';
import { Form } from '../../../../ui/forms/form';
import { Stack } from '../../../../ui/layout/stack';
import { Loaded } from '../../../../ui/lists/loaded';
import { Rows } from '../../../../ui/lists/rows';
import { useSend } from '../../../operations/send';
import { CAUSES } from '../../parts/acts';
import { nameOfDay } from '../../parts/months';
import { AddEvent } from './add-event';
import { countOf, type Drafts, draftsWith, MAX_CHANGES, NO_DRAFTS, proposalOf } from './draft';
import { AddedRow, EventRow } from './event-row';
import style from './propose.module.css';
import { useEvents } from './use-events';

interface OfDay {
  readonly person: PersonSheet;
  readonly site: Site;
  readonly date: string;
}

/** Proposes a correction of a day. The person decides about it. */
export function Propose({ onClose, ...day }: OfDay & { readonly onClose: () => void }) {
  const { person, site, date } = day;
  const [drafts, setDrafts] = useState(NO_DRAFTS);
  const propose = useSend('proposeCorrection', {
    done: 'Proposed. The person decides on their phone or with their PIN.',
    onSuccess: onClose,
  });
  const count = countOf(drafts);
  return (
    <Dialog
      title={`Correct ${nameOfDay(date, { month: 'long' })}`}
      busy={propose.isPending}
      onClose={onClose}
    >
      <Form
        names={['cause', 'note']}
        error={propose.error}
        onSend={(input) => propose.mutate({ body: proposalOf(person.userId, drafts, input, site.timeZone) })}
      >
        <Stack>
          <Events {...day} drafts={drafts} onChange={setDrafts} />
          <AddEvent date={date} drafts={drafts} onChange={setDrafts} />
          <Why />
          <p className={style.soft}>
            Proposing is the yes of the company. The hours change once the person agrees too.
          </p>
          {propose.error && <Failure error={propose.error} />}
          <DialogActions>
            <Cancel />
            <Button
              look="primary"
              type="submit"
              busy={propose.isPending}
              disabled={count === 0 || count > MAX_CHANGES}
            >
              Propose the correction
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}

const Why = () => (
  <>
    <SelectField label="Cause" name="cause">
      {Object.entries(CAUSES).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
    <TextArea label="Note" name="note" rows={2} maxLength={500} hint="Optional. The person reads it." />
  </>
);

/** The events of the day, and the new ones below them. */
function Events({
  person,
  site,
  date,
  drafts: { edits, added },
  onChange,
}: OfDay & { readonly drafts: Drafts; readonly onChange: Dispatch<SetStateAction<Drafts>> }) {
  const events = useEvents(person, site, date);
  return (
    <Loaded name="the events of the day" query={events}>
      {(found) => (
        <Rows lined className={style.events} aria-label="Events">
          {found.length === 0 && added.length === 0 && <li>No events on this day.</li>}
          {found.map((event) => (
            <EventRow
              key={event.id}
              of={event}
              edit={edits.get(event.id)}
              onEdit={(to) => onChange((before) => draftsWith(before, { id: event.id, to }))}
            />
          ))}
          {added.map((draft, at) => (
            <AddedRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is what its place in the list has
              key={at}
              of={draft}
              onChange={(to) => onChange((before) => draftsWith(before, { at, to }))}
            />
          ))}
        </Rows>
      )}
    </Loaded>
  );
}
