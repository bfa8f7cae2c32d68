import type { Device } from '@svc/sdk';
import { Confirm } from '../../ui/forms/confirm';
import { Text } from '../../ui/lists/value';
import { svc } from '../api';
import { useDeviceChange } from './use-device-change';

export type DeviceChange = 'activate' | 'deactivate' | 'retire' | 'revoke';

interface Words {
  readonly verb: string;
  readonly means: string;
  readonly final: boolean;
}

const WORDS: Readonly<Record<DeviceChange, Words>> = {
  activate: { verb: 'Activate', means: 'It is in use again.', final: false },
  deactivate: {
    verb: 'Deactivate',
    means: 'It is out of use until somebody activates it. The identities that were made on it stay.',
    final: false,
  },
  retire: {
    verb: 'Retire',
    means: 'The device is gone for good. The identities that were made on it stay. This cannot be undone.',
    final: true,
  },
  revoke: {
    verb: 'Revoke',
    means:
      'For a device that was lost or stolen: it is retired, its code is void, and the identities that were made on it and their sessions end at once. This cannot be undone.',
    final: true,
  },
};

const STATUS = { activate: 'active', deactivate: 'inactive', retire: 'retired' } as const;

export function ChangeDevice({
  change,
  device: { id, name, environment },
  onClose,
}: {
  readonly change: DeviceChange;
  readonly device: Device;
  readonly onClose: () => void;
}) {
  const send = useDeviceChange(async () => {
    if (change === 'revoke') return svc.console.devices.revoke(id, environment);
    const input = { path: { id }, query: { environment }, body: { status: STATUS[change] } };
    return (await svc.request('consoleUpdateDevice', input)).device;
  }, onClose);
  const { verb, means, final } = WORDS[change];
  return (
    <Confirm
      title={
        <>
          {verb} “<Text of={name} />
          ”?
        </>
      }
      action={`${verb} the device`}
      look={final ? 'danger' : 'primary'}
      busy={send.isPending}
      error={send.error}
      onConfirm={() => send.mutate(undefined)}
      onClose={onClose}
    >
      {means}
    </Confirm>
  );
}
