import type { Device } from '@svc/sdk';
import { SelectField, TextField } from '../../ui/forms/fields/field';
import { LocationField } from '../nouns/sites/location-field';
import { TYPES } from './device-labels';

export type DeviceInput = Record<'name' | 'deviceType' | 'locationId', string>;
export const DEVICE_FIELDS = ['name', 'deviceType', 'locationId'] as const;

export const DeviceFields = ({ device }: { readonly device?: Device }) => (
  <>
    <TextField
      label="Name"
      name="name"
      hint="Where the device is or who uses it, for example Lobby kiosk."
      defaultValue={device?.name}
      maxLength={200}
      required
    />
    <SelectField label="Type" name="deviceType" defaultValue={device?.deviceType}>
      {Object.entries(TYPES).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
    <LocationField location={device?.locationId ?? ''} />
  </>
);
