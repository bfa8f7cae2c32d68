import { DateField } from '../../../ui/dates/date-field';
import { startOfDay } from '../../../ui/dates/days';
import { SelectField } from '../../../ui/forms/fields/field';
import { svc } from '../../operations/api';
import { EXPIRIES, type Expiry } from './expiry';

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
      <DateField
        label="Last day"
        name="date"
        min={new Date(svc.serverNow())}
        defaultValue={startOfDay(new Date(svc.serverNow()), 30)}
      />
    )}
  </>
);
