import type { Device } from '@svc/sdk';
import { Pencil } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { Menu } from '../../ui/forms/menu';
import { Facts } from '../../ui/layout/surface';
import { Tabs } from '../../ui/layout/tabs';
import { Time } from '../../ui/lists/time';
import { Id, Json, Text } from '../../ui/lists/value';
import { svc } from '../api';
import { RelatedEntries } from '../audit/related-entries';
import { Identities } from '../identities/identities';
import { LoadedRecord } from '../records/record';
import { RecordPanel } from '../records/record-panel';
import { CopyId } from '../records/reference';
import { RelatedAttendance, RelatedVerifications } from '../records/related/related-events';
import { DeviceEnrollment, DeviceStatus, TYPES } from './device-labels';
import { actionsFor, useDeviceTask } from './device-task';

export const DeviceRecord = () => (
  <LoadedRecord
    kind="Device"
    page="devices"
    read={async (id, environment, signal) =>
      (await svc.request('consoleGetDevice', { path: { id }, query: { environment } }, { signal })).device
    }
  >
    {(device: Device) => <Shown key={device.id} device={device} />}
  </LoadedRecord>
);

function Shown({ device }: { readonly device: Device }) {
  const [dialog, start] = useDeviceTask();
  const others = actionsFor(device, start).filter(({ name }) => name !== 'Edit');
  const of = { deviceId: device.id };
  return (
    <RecordPanel
      kind="Device"
      title={<Text of={device.name} />}
      about={TYPES[device.deviceType]}
      actions={
        <>
          <Button onClick={() => start('edit', device)}>
            <Pencil size={16} aria-hidden="true" />
            Edit
          </Button>
          {others.length > 0 && <Menu label={`More actions for ${device.name}`} items={others} />}
        </>
      }
    >
      <Facts
        facts={{
          Status: <DeviceStatus of={device.status} />,
          Enrollment: <DeviceEnrollment of={device.enrollment_state} />,
          Location: <Text of={device.locationId} />,
          ...(device.batteryLevel !== null && { Battery: `${device.batteryLevel} %` }),
          'Last seen': <Time at={device.lastSeenAt} />,
          ID: <CopyId of={device.id} />,
          ...(device.externalId !== null && { 'External ID': <Text of={device.externalId} /> }),
          ...(device.fingerprint !== null && { Fingerprint: <Id of={device.fingerprint} /> }),
          ...(device.attestation_kind !== null && { Attestation: <Text of={device.attestation_kind} /> }),
          Added: <Time at={device.createdAt} />,
          Changed: <Time at={device.updatedAt} />,
          ...(device.metadata !== null && { Metadata: <Json of={device.metadata} /> }),
        }}
      />
      <Tabs
        label="About this device"
        tabs={[
          ['Verifications', <RelatedVerifications key="verifications" of={of} showing="people" />],
          ['Attendance', <RelatedAttendance key="attendance" of={of} showing="people" />],
          ['Identities', <Identities key="identities" of={of} showing="people" />],
          ['Audit', <RelatedEntries key="audit" entityId={device.id} />],
        ]}
      />
      {dialog}
    </RecordPanel>
  );
}
