import type { Device } from '@svc/sdk';
import { StatusTag, type Tone } from '../../ui/layout/surface';

export const TYPES = {
  kiosk: 'Kiosk',
  mobile_android: 'Android phone',
  mobile_ios: 'iPhone or iPad',
  desktop: 'Desktop',
  iot_bridge: 'Bridge',
} as const satisfies Readonly<Record<Device['deviceType'], string>>;

export const STATUS = {
  active: 'Active',
  inactive: 'Inactive',
  retired: 'Retired',
} as const satisfies Readonly<Record<Device['status'], string>>;

export const ENROLLMENT = {
  pending: 'Pending',
  enrolled: 'Enrolled',
  revoked: 'Revoked',
} as const satisfies Readonly<Record<Device['enrollment_state'], string>>;

const STATUS_TONES: Readonly<Record<Device['status'], Tone>> = {
  active: 'good',
  inactive: 'plain',
  retired: 'bad',
};
const ENROLLMENT_TONES: Readonly<Record<Device['enrollment_state'], Tone>> = {
  pending: 'warn',
  enrolled: 'good',
  revoked: 'bad',
};

export const DeviceStatus = ({ of }: { readonly of: Device['status'] }) => (
  <StatusTag tone={STATUS_TONES[of]}>{STATUS[of]}</StatusTag>
);
export const DeviceEnrollment = ({
  of: { enrollment_state: state, keyThumbprint },
}: {
  readonly of: Device;
}) => (
  <StatusTag tone={ENROLLMENT_TONES[state]}>
    {state === 'enrolled' && keyThumbprint !== null ? 'Enrolled with a key' : ENROLLMENT[state]}
  </StatusTag>
);
