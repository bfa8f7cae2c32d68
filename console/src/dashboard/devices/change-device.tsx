import type { Device } from '@svc/sdk';
import { Confirm } from '../../ui/dialogs/confirm';
import { Text } from '../../ui/lists/value';
import { svc } from '../api';
import { useDeviceChange } from './use-device-change';

export type DeviceChange = 'activate' | 'deactivate' | 'retire' | 'revoke';

interface Words {
  readonly verb: string;
  /** What a toast says afterwards. */
  readonly past: string;
  readonly means: string;
  readonly final: boolean;
}

const WORDS: Readonly<Record<DeviceChange, Words>> = {
  activate: {
    verb: 'Activate',
    past: 'Device activated',
    means: 'The device can be used again.',
    final: false,
  },
  deactivate: {
    verb: 'Deactivate',
    past: 'Device deactivated',
    means: 'The device can’t be used until you reactivate it. Its identities are kept.',
    final: false,
  },
  retire: {
    verb: 'Retire',
    past: 'Device retired',
    means: 'The device can never be used again. Its identities are kept. This can’t be undone.',
    final: true,
  },
  revoke: {
    verb: 'Revoke',
    past: 'Device revoked',
    means:
      'Use this if the device was lost or stolen. The device is retired, its code stops working, and its identities and their sessions are revoked immediately. This can’t be undone.',
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
  const { verb, past, means, final } = WORDS[change];
  const send = useDeviceChange(
    async () => {
      if (change === 'revoke') return svc.console.devices.revoke(id, environment);
      const input = { path: { id }, query: { environment }, body: { status: STATUS[change] } };
      return (await svc.request('consoleUpdateDevice', input)).device;
    },
    { done: past, onDone: onClose },
  );
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
