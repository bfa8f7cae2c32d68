import type { Device } from '@svc/sdk';
import { useContext } from 'react';
import { Notice } from '../../../ui/layout/surface';
import { Clock, Time } from '../../../ui/lists/time';
import { useOperation } from '../../operations/operation';

/** How long the session of a device lasts (docs/devices.md). */
const SESSION_MS = 12 * 60 * 60_000;

const mayAct = ({ enrollment_state, status }: Device): boolean =>
  enrollment_state === 'enrolled' && status === 'active';

/** What a device with a key may do without an API key. */
export const WhatItMayDo = ({ device }: { readonly device: Device }) => (
  <Notice>
    {mayAct(device)
      ? 'This device has a key of its own. Without an API key it may open, watch and cancel its own sign-ins and its own registrations of new people, and read the company’s profile. People type a number to sign in on it.'
      : 'This device has a key of its own, but may do nothing with it now. Its session and its open codes have ended.'}{' '}
    <a href="/docs/devices#kiosks-and-shared-computers">Kiosks and shared computers</a>
  </Notice>
);

/** When the newest session of a device ends. The service stores no sessions of devices, but the audit log has their beginning. */
export function DeviceSession({ device }: { readonly device: Device }) {
  const now = useContext(Clock);
  const { data, isPending } = useOperation('consoleListAuditEvents', {
    query: { entityId: device.id, action: 'device.session_opened', limit: 1 },
  });
  const opened = data?.audit[0]?.createdAt;
  if (isPending) return 'Loading …';
  const ends = opened === undefined ? 0 : Date.parse(opened) + SESSION_MS;
  if (ends <= now() || !mayAct(device)) return 'Not open';
  return (
    <>
      Open until <Time at={new Date(ends).toISOString()} />
    </>
  );
}
