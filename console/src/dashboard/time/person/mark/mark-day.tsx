import type { PersonSheet } from '@svc/sdk';
import { X } from 'lucide-react';
import { useId } from 'react';
import { Cancel, Dialog, DialogActions } from '../../../../ui/dialogs/dialog';
import { Failure } from '../../../../ui/failure';
import { Button } from '../../../../ui/forms/button';
import { TextField } from '../../../../ui/forms/fields/field';
import { Form } from '../../../../ui/forms/form';
import { Stack } from '../../../../ui/layout/stack';
import { Rows } from '../../../../ui/lists/rows';
import { useSpoken } from '../../language/errors';
import { t } from '../../language/strings';
import { nameOfDay } from '../../parts/months';
import style from './mark-day.module.css';
import { useMarks } from './use-marks';

/** The marks of a day, and a new one. */
export function MarkDay({
  person: { userId, marks },
  date,
  onClose,
}: {
  readonly person: PersonSheet;
  readonly date: string;
  readonly onClose: () => void;
}) {
  const { add, remove } = useMarks(userId, { onAdded: onClose });
  const error = useSpoken(add.error);
  const isBusy = add.isPending || remove.isPending;
  const own = marks.filter((mark) => mark.date === date);
  return (
    <Dialog title={t.mark.title(nameOfDay(date, { month: 'long' }))} busy={isBusy} onClose={onClose}>
      <Form
        names={['code', 'source']}
        error={error}
        onSend={({ code, source }) =>
          add.mutate({ body: { userId, date, code: code.trim(), source: source.trim() } })
        }
      >
        <Stack>
          {own.length > 0 && (
            <Marks of={own} busy={isBusy} onRemove={(id) => remove.mutate({ path: { id } })} />
          )}
          <Fields />
          <p className={style.about}>{t.mark.about}</p>
          {error && <Failure error={error} />}
          {remove.error && <Failure error={remove.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={isBusy}>
              {t.mark.action}
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}

const Marks = ({
  of,
  busy,
  onRemove,
}: {
  readonly of: PersonSheet['marks'];
  readonly busy: boolean;
  readonly onRemove: (id: string) => void;
}) => (
  <Rows lined className={style.marks} aria-label={t.mark.marks}>
    {of.map(({ id, code, source }) => (
      <li key={id} className={style.mark}>
        <span>
          <strong>{code}</strong> <small>{source}</small>
        </span>
        <Button small look="quiet" busy={busy} aria-label={t.mark.remove(code)} onClick={() => onRemove(id)}>
          <X size={16} aria-hidden="true" />
        </Button>
      </li>
    ))}
  </Rows>
);

function Fields() {
  const id = useId();
  return (
    <>
      <TextField
        label={t.mark.code}
        name="code"
        hint={t.mark.codeHint}
        list={id}
        maxLength={32}
        autoComplete="off"
        required
      />
      <datalist id={id}>
        {t.mark.suggestions.map((code) => (
          <option key={code} value={code} />
        ))}
      </datalist>
      <TextField
        label={t.mark.source}
        name="source"
        defaultValue={t.mark.sourceDefault}
        maxLength={100}
        autoComplete="off"
        required
      />
    </>
  );
}
