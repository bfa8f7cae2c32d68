import type { Device } from '@svc/sdk';
import { SelectField, TextField } from '../../ui/forms/field';
import { TYPES } from './device-words';

export type DeviceInput = Record<'name' | 'deviceType' | 'locationId', string>;
export const DEVICE_FIELDS = ['name', 'deviceType', 'locationId'] as const;

/** What people give of a device, new or known. */
export const DeviceFields = ({ device }: { readonly device?: Device }) => (
  <>
    <TextField
      label="Name"
      name="name"
      hint="Where it stands or whose it is, such as Lobby kiosk."
      defaultValue={device?.name}
      maxLength={200}
      required
    />
    <SelectField label="Kind" name="deviceType" defaultValue={device?.deviceType}>
      {Object.entries(TYPES).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
    <TextField
      label="Location"
      name="locationId"
      hint="Your own name or number of the place. May stay empty."
      defaultValue={device?.locationId ?? ''}
      maxLength={200}
    />
  </>
);
