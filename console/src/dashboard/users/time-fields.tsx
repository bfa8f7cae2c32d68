import type { Site, UserUpdateParams } from '@svc/sdk';
import { SelectField } from '../../ui/forms/fields/field';
import type { ListedUser } from '../operations/api';

export const TIME_FIELD_NAMES = ['siteId', 'attendanceFrom'] as const;
type TimeField = (typeof TIME_FIELD_NAMES)[number];

/** Where a person clocks in. An empty choice is the one of their site. */
export const ATTENDANCE_FROM = { '': 'As the site says', desk: 'At a desk', anywhere: 'Anywhere' } as const;

/** What was chosen, for the API. */
export const timeOf = ({
  siteId,
  attendanceFrom,
}: Readonly<Record<TimeField, string>>): Pick<UserUpdateParams, TimeField> => ({
  siteId: siteId === '' ? null : siteId,
  attendanceFrom: attendanceFrom === 'desk' || attendanceFrom === 'anywhere' ? attendanceFrom : null,
});

/** The site of a person, and where they clock in. */
export const TimeFields = ({
  user,
  sites,
}: {
  readonly user: ListedUser;
  readonly sites: readonly Site[];
}) => (
  <>
    <SelectField
      label="Site"
      name="siteId"
      hint="Where their hours are kept. The employee code is their personnel number there."
      defaultValue={user.siteId ?? ''}
    >
      <option value="">None</option>
      {sites.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
    <SelectField label="Clocks in" name="attendanceFrom" defaultValue={user.attendanceFrom ?? ''}>
      {Object.entries(ATTENDANCE_FROM).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
  </>
);
