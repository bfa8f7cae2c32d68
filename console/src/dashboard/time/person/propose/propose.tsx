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
import { useSpoken } from '../../language/errors';
import { t } from '../../language/strings';
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
    done: t.propose.done,
    onSuccess: onClose,
  });
  const error = useSpoken(propose.error);
  const count = countOf(drafts);
  return (
    <Dialog
      title={t.propose.title(nameOfDay(date, { month: 'long' }))}
      busy={propose.isPending}
      onClose={onClose}
    >
      <Form
        names={['cause', 'note']}
        error={error}
        onSend={(input) => propose.mutate({ body: proposalOf(person.userId, drafts, input, site.timeZone) })}
      >
        <Stack>
          <Events {...day} drafts={drafts} onChange={setDrafts} />
          <AddEvent date={date} drafts={drafts} onChange={setDrafts} />
          <Why />
          <p className={style.soft}>{t.propose.about}</p>
          {error && <Failure error={error} />}
          <DialogActions>
            <Cancel />
            <Button
              look="primary"
              type="submit"
              busy={propose.isPending}
              disabled={count === 0 || count > MAX_CHANGES}
            >
              {t.propose.action}
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}

const Why = () => (
  <>
    <SelectField label={t.propose.cause} name="cause">
      {Object.entries(t.causes).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
    <TextArea label={t.propose.note} name="note" rows={2} maxLength={500} hint={t.propose.noteHint} />
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
    <Loaded name={t.propose.what} query={events}>
      {(found) => (
        <Rows lined className={style.events} aria-label={t.propose.events}>
          {found.length === 0 && added.length === 0 && <li>{t.propose.empty}</li>}
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
