import type { Device } from '@svc/sdk';
import { type ReactNode, useState } from 'react';
import type { MenuItem } from '../../ui/forms/menu';
import { CHANGES, type DeviceChange } from './change-device';
import { EditDevice } from './edit-device';
import { NewCode } from './enrollment-code';

type DeviceTask = 'code' | 'edit' | DeviceChange;
export type StartTask = (task: DeviceTask, device: Device) => void;

/** The dialog of the chosen task, and what chooses one. */
export function useDeviceTask(): readonly [dialog: ReactNode, start: StartTask] {
  const [open, setOpen] = useState<{ readonly task: DeviceTask; readonly device: Device }>();
  const start: StartTask = (task, device) => setOpen({ task, device });
  if (open === undefined) return [null, start];
  const about = { device: open.device, onClose: () => setOpen(undefined) };
  if (open.task === 'code') return [<NewCode key="code" {...about} />, start];
  if (open.task === 'edit') return [<EditDevice key="edit" {...about} />, start];
  const Change = CHANGES[open.task];
  return [<Change key={open.task} {...about} />, start];
}

/** The actions that the device's state allows. A phone from a registration already has a fingerprint and needs no code. */
export function actionsFor(device: Device, start: StartTask): readonly MenuItem[] {
  const { status, enrollment_state: enrollment, fingerprint } = device;
  const inUse = status !== 'retired';
  const item = (name: string, task: DeviceTask, danger = false) => ({
    name,
    danger,
    onSelect: () => start(task, device),
  });
  return [
    ...(inUse && enrollment === 'pending' && fingerprint === null ? [item('New code', 'code')] : []),
    item('Edit', 'edit'),
    ...(status === 'active' ? [item('Deactivate', 'deactivate')] : []),
    ...(status === 'inactive' && enrollment !== 'pending' ? [item('Activate', 'activate')] : []),
    ...(inUse ? [item('Retire', 'retire', true)] : []),
    ...(enrollment === 'revoked' ? [] : [item('Revoke', 'revoke', true)]),
  ];
}
