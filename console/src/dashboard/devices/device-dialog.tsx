import type { Device } from '@svc/sdk';
import { ChangeDevice, type DeviceChange } from './change-device';
import { DeviceDetails } from './device-details';
import { EditDevice } from './edit-device';
import { NewCode } from './enrollment-code';

export type DeviceTask = 'look' | 'code' | 'edit' | DeviceChange;

export function DeviceDialog({
  task,
  ...about
}: {
  readonly task: DeviceTask;
  readonly device: Device;
  readonly onClose: () => void;
}) {
  if (task === 'look') return <DeviceDetails {...about} />;
  if (task === 'code') return <NewCode {...about} />;
  if (task === 'edit') return <EditDevice {...about} />;
  return <ChangeDevice change={task} {...about} />;
}
