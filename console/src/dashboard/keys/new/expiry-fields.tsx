import { SelectField, TextField } from '../../../ui/forms/field';
import { svc } from '../../api';
import { dateOf, EXPIRIES, type Expiry } from './expiry';

const DAY_MS = 86_400_000;

/** When the key expires. The date is named `date` in the form. */
export const ExpiryFields = ({
  chosen,
  onChoose,
}: {
  readonly chosen: Expiry;
  readonly onChoose: (expiry: Expiry) => void;
}) => (
  <>
    <SelectField label="Expires" value={chosen} onChange={(event) => onChoose(event.target.value as Expiry)}>
      {Object.entries(EXPIRIES).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
    {chosen === 'date' && (
      <TextField
        type="date"
        label="Last day"
        name="date"
        min={dateOf(svc.serverNow())}
        defaultValue={dateOf(svc.serverNow() + 30 * DAY_MS)}
        required
      />
    )}
  </>
);
