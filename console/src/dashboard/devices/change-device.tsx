import type { Device } from '@svc/sdk';
import { Text } from '../../ui/lists/value';
import { confirmOf } from '../records/confirm-of';

type Of = { readonly device: Device };

const titled = (verb: string) => ({
  title: ({ device }: Of) => (
    <>
      {verb} “<Text of={device.name} />
      ”?
    </>
  ),
  action: `${verb} the device`,
});

const updateTo = (status: 'active' | 'inactive' | 'retired') => ({
  operation: 'consoleUpdateDevice' as const,
  input: ({ device: { id } }: Of) => ({ path: { id }, body: { status } }),
});

/** The dialogs that change the state of a device. */
export const CHANGES = {
  activate: confirmOf({
    ...updateTo('active'),
    ...titled('Activate'),
    look: 'primary',
    done: 'Device activated',
    text: 'The device can be used again.',
  }),
  deactivate: confirmOf({
    ...updateTo('inactive'),
    ...titled('Deactivate'),
    look: 'primary',
    done: 'Device deactivated',
    text: 'The device can’t be used until you reactivate it. Its identities are kept.',
  }),
  retire: confirmOf({
    ...updateTo('retired'),
    ...titled('Retire'),
    done: 'Device retired',
    text: 'The device can never be used again. Its identities are kept. This can’t be undone.',
  }),
  revoke: confirmOf({
    operation: 'consoleRevokeDevice',
    input: ({ device: { id } }: Of) => ({ path: { id } }),
    ...titled('Revoke'),
    done: 'Device revoked',
    text: 'Use this if the device was lost or stolen. The device is retired, its code stops working, and its identities and their sessions are revoked immediately. This can’t be undone.',
  }),
};

export type DeviceChange = keyof typeof CHANGES;
