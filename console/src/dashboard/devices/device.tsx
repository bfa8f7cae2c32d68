import type { Device } from '@svc/sdk';
import { Pencil } from 'lucide-react';
import { type ComponentProps, Fragment } from 'react';
import { Button } from '../../ui/forms/button';
import { Menu } from '../../ui/forms/menu';
import type { Tabs } from '../../ui/layout/tabs';
import { Time } from '../../ui/lists/time';
import { Id, Json, Text } from '../../ui/lists/value';
import { Needs, useCan } from '../nouns/members/needs';
import { CopyId } from '../nouns/reference';
import { CheckRecord } from '../nouns/seal/check-record';
import { SiteName } from '../nouns/sites/site-name';
import { RecordFrame } from '../records/record-frame';
import { RelatedEntries } from '../records/related/related-entries';
import { RelatedAttendance, RelatedVerifications } from '../records/related/related-events';
import { useRecord } from '../records/use-record';
import { DeviceEnrollment, DeviceStatus, TYPES } from './device-labels';
import { actionsFor, useDeviceTask } from './device-task';
import { Identities } from './identities';
import { DeviceSession, WhatItMayDo } from './key/device-key';

export function DeviceRecord() {
  const [dialog, start] = useDeviceTask();
  const seesEvents = useCan('auditor');
  const found = useRecord({
    kind: 'Device',
    page: 'devices',
    operation: 'getDevice',
    input: (deviceId) => ({ path: { deviceId } }),
    pick: ({ device }) => device,
  });
  return (
    <RecordFrame
      of={found}
      title={({ name }) => name}
      about={({ deviceType }) => TYPES[deviceType]}
      actions={(device) => {
        const others = actionsFor(device, start).filter(({ name }) => name !== 'Edit');
        return (
          <Needs least="developer">
            <Button onClick={() => start('edit', device)}>
              <Pencil size={16} aria-hidden="true" />
              Edit
            </Button>
            {others.length > 0 && <Menu label={`More actions for ${device.name}`} items={others} />}
          </Needs>
        );
      }}
      notice={(device) => device.keyThumbprint !== null && <WhatItMayDo device={device} />}
      facts={(device) => ({
        Status: <DeviceStatus of={device.status} />,
        Enrollment: <DeviceEnrollment of={device} />,
        ...(device.keyThumbprint !== null && {
          Key: <CopyId of={device.keyThumbprint} name="key’s thumbprint" />,
          Session: <DeviceSession device={device} />,
        }),
        Location: <SiteName id={device.locationId} />,
        ...(device.batteryLevel !== null && { Battery: `${device.batteryLevel} %` }),
        'Last seen': <Time at={device.lastSeenAt} />,
        ID: <CopyId of={device.id} />,
        ...(device.externalId !== null && { 'External ID': <Text of={device.externalId} /> }),
        ...(device.fingerprint !== null && { Fingerprint: <Id of={device.fingerprint} /> }),
        ...(device.attestation_kind !== null && { Attestation: <Text of={device.attestation_kind} /> }),
        Added: <Time at={device.createdAt} />,
        Changed: <Time at={device.updatedAt} />,
        ...(device.metadata !== null && { Metadata: <Json of={device.metadata} /> }),
      })}
      {...(seesEvents && { tabs: tabsOf })}
    >
      {() => dialog}
    </RecordFrame>
  );
}

const tabsOf = ({ id }: Device): ComponentProps<typeof Tabs>['tabs'] => [
  ['Verifications', <RelatedVerifications key="verifications" of={{ deviceId: id }} showing="people" />],
  ['Attendance', <RelatedAttendance key="attendance" of={{ deviceId: id }} showing="people" />],
  ['Identities', <Identities key="identities" deviceId={id} />],
  [
    'Audit',
    <Fragment key="audit">
      <CheckRecord kind="device" id={id} />
      <RelatedEntries about={[id]} />
    </Fragment>,
  ],
];
