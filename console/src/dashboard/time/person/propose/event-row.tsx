import { X } from 'lucide-react';
import { Button } from '../../../../ui/forms/button';
import { SelectField, TextField } from '../../../../ui/forms/fields/field';
import { t } from '../../language/strings';
import type { Act } from '../../parts/acts';
import { timeOf } from '../day-lines';
import type { Draft, Edit } from './draft';
import style from './propose.module.css';
import type { DayEvent } from './use-events';

const CHOICES = ['keep', 'change', 'remove'] as const;
type Choice = (typeof CHOICES)[number];

const evidenceText = (evidence: string | null): string =>
  (t.evidence as Readonly<Record<string, string>>)[evidence ?? ''] ?? '';

const editOf = (choice: Choice, { act, local }: DayEvent): Edit | undefined => {
  if (choice === 'keep') return undefined;
  return choice === 'remove' ? { kind: 'remove' } : { kind: 'change', act, local };
};

/** An event of the day, which stays unless the reader changes or removes it. */
export function EventRow({
  of,
  edit,
  onEdit,
}: {
  readonly of: DayEvent;
  readonly edit: Edit | undefined;
  readonly onEdit: (edit: Edit | undefined) => void;
}) {
  const name = `${t.acts[of.act]} ${timeOf(of.local, of.local.slice(0, 10))}`;
  return (
    <li className={style.event}>
      <div className={style.line}>
        <span data-removed={edit !== undefined}>
          <strong>{name}</strong> <small>{evidenceText(of.evidence)}</small>
        </span>
        <SelectField
          label={t.propose.fate(name)}
          value={edit?.kind ?? 'keep'}
          onChange={({ target }) => onEdit(editOf(target.value as Choice, of))}
        >
          {CHOICES.map((value) => (
            <option key={value} value={value}>
              {t.propose[value]}
            </option>
          ))}
        </SelectField>
      </div>
      {edit?.kind === 'change' && <Fields of={edit} onChange={(to) => onEdit({ kind: 'change', ...to })} />}
    </li>
  );
}

/** An event that is missing. */
export const AddedRow = ({
  of,
  onChange,
}: {
  readonly of: Draft;
  /** Undefined takes it away. */
  readonly onChange: (to: Draft | undefined) => void;
}) => (
  <li className={style.event}>
    <div className={style.line}>
      <strong>{t.propose.added}</strong>
      <Button small look="quiet" aria-label={t.propose.leaveOut} onClick={() => onChange(undefined)}>
        <X size={16} aria-hidden="true" />
      </Button>
    </div>
    <Fields of={of} onChange={onChange} />
  </li>
);

const Fields = ({ of, onChange }: { readonly of: Draft; readonly onChange: (to: Draft) => void }) => (
  <div className={style.fields}>
    <SelectField
      label={t.propose.event}
      value={of.act}
      onChange={({ target }) => onChange({ ...of, act: target.value as Act })}
    >
      {Object.entries(t.acts).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
    <TextField
      label={t.propose.time}
      type="datetime-local"
      value={of.local}
      onChange={({ target }) => onChange({ ...of, local: target.value })}
      required
    />
  </div>
);
