import Type, { type Static } from 'typebox';
import { exportOf } from '../../http/export.js';
import { overrideExample } from '../../http/openapi/example.js';
import { enrollDeeplink } from '../../model/deeplink.js';
import { code, deviceKey, fingerprint, ids, secrets, times } from '../../model/example-fixtures.js';
import { type Columns, createFields, optional, replyFields, updateFields } from '../../records/columns.js';
import { countedPageOf, createdIn, includesTotal, search, searchPageOf } from '../../records/list.js';
import { DEVICE_SORTS } from '../../records/order.js';
import {
  Environment,
  exampleText,
  FreeForm,
  forConsole,
  paging,
  strictObject,
  Text,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';

const DEVICE_TYPES = ['mobile_android', 'mobile_ios', 'kiosk', 'iot_bridge', 'desktop'] as const;
export const DEVICE_STATUSES = ['active', 'inactive', 'retired'] as const;
export const ENROLLMENT_STATES = ['pending', 'enrolled', 'revoked'] as const;

const DeviceType = withExample('kiosk', Type.Enum([...DEVICE_TYPES]));
const EnrollmentState = Type.Enum([...ENROLLMENT_STATES]);
const Status = Type.Enum([...DEVICE_STATUSES]);
const BatteryLevel = Type.Number({ minimum: 0, maximum: 100, examples: [87.5] });
const AttestationKind = withExample('play_integrity', Text(64));

export const deviceColumns = {
  id: { column: 'id', schema: uuid(ids.device), type: 'uuid' },
  environment: { column: 'environment', schema: Environment },
  name: { column: 'name', schema: withExample('Main gate', Text(200)), create: 'required', update: true },
  deviceType: { column: 'device_type', schema: DeviceType, create: 'optional', update: true },
  externalId: { column: 'external_id', schema: withExample('gate-01', Text(200)), ...optional },
  locationId: { column: 'location_id', schema: withExample('lobby', Text(200)), ...optional },
  batteryLevel: { column: 'battery_level', schema: BatteryLevel, ...optional },
  metadata: { column: 'metadata', schema: FreeForm, type: 'json', ...optional },
  status: { column: 'status', schema: Status, update: true },
  lastSeenAt: {
    column: 'last_seen_at',
    schema: Timestamp,
    type: 'timestamptz',
    nullable: true,
    update: true,
  },
  enrollment_state: { column: 'enrollment_state', schema: withExample('enrolled', EnrollmentState) },
  fingerprint: { column: 'fingerprint', schema: exampleText(fingerprint), nullable: true },
  attestation_kind: { column: 'attestation_kind', schema: AttestationKind, nullable: true },
  createdAt: { column: 'created_at', schema: Timestamp, type: 'timestamptz' },
  updatedAt: { column: 'updated_at', schema: Timestamp, type: 'timestamptz' },
  keyThumbprint: {
    column: 'key_thumbprint',
    schema: exampleText(
      deviceKey.thumbprint,
      'RFC 7638 thumbprint of the device’s key. Null if it has none.',
    ),
    nullable: true,
  },
} as const satisfies Columns;

export const Device = strictObject(replyFields(deviceColumns), 'Device');

const createDevice = createFields(deviceColumns);
const updateDevice = updateFields(deviceColumns);

export const CreateDeviceBody = strictObject(createDevice, 'DeviceCreateParams');

export const PatchDeviceBody = Type.Object(updateDevice, {
  additionalProperties: false,
  title: 'DeviceUpdateParams',
  minProperties: 1,
});

/** A device that is active again acts alone, and one that is retired never does. */
export const deviceActs = [
  { act: 'enrol_device', if: ({ status }: Static<typeof PatchDeviceBody>) => status === 'active' },
  { act: 'revoke_device', if: ({ status }: Static<typeof PatchDeviceBody>) => status === 'retired' },
] as const;

const filters = {
  enrollment_state: Type.Optional(EnrollmentState),
  status: Type.Optional(Status),
  externalId: createDevice.externalId,
  ...search,
  ...createdIn,
  sort: Type.Optional(Type.Enum([...DEVICE_SORTS])),
};
export const ListDevicesQuery = strictObject({ ...filters, ...includesTotal, ...paging });
export const DeviceReply = strictObject({ device: Device });
export const DeviceListReply = searchPageOf('devices', Device, 'DevicePage');
export const deviceExport = exportOf(ListDevicesQuery, Device.properties);

const MintedCode = strictObject(
  {
    code: exampleText(code),
    expires_at: timestamp(times.in15Minutes),
    deeplink: exampleText(enrollDeeplink(code)),
  },
  'EnrollmentCode',
);
export const PendingDeviceReply = overrideExample(strictObject({ device: Device, enrollment: MintedCode }), {
  device: {
    externalId: null,
    batteryLevel: null,
    status: 'inactive',
    lastSeenAt: null,
    enrollment_state: 'pending',
    fingerprint: null,
    attestation_kind: null,
    keyThumbprint: null,
  },
});

export const ConsoleDeviceBody = strictObject(
  {
    name: createDevice.name,
    deviceType: createDevice.deviceType,
    locationId: createDevice.locationId,
    metadata: createDevice.metadata,
  },
  'ConsoleDeviceCreateParams',
);
export const ConsolePatchBody = Type.Object(
  {
    name: updateDevice.name,
    locationId: updateDevice.locationId,
    deviceType: updateDevice.deviceType,
    status: updateDevice.status,
    metadata: updateDevice.metadata,
  },
  { additionalProperties: false, title: 'ConsoleDeviceUpdateParams', minProperties: 1 },
);
export const ConsoleDevicesQuery = forConsole(strictObject({ ...filters, ...paging }));
export const ConsoleDeviceList = countedPageOf('devices', Device, 'ConsoleDevicePage');
const Coordinate = (example: string) => Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', examples: [example] });

/** The public members only: a private key must never leave its device. */
export const DeviceKey = strictObject(
  {
    kty: Type.Enum(['EC']),
    crv: Type.Enum(['P-256']),
    x: Coordinate(deviceKey.x),
    y: Coordinate(deviceKey.y),
  },
  'DevicePublicKey',
);

/** ECDSA with SHA-256, as WebCrypto makes it. */
const DeviceSignature = Type.String({
  pattern: '^[A-Za-z0-9_-]{86}$',
  description: '64 bytes, r and s, in base64url',
  examples: [deviceKey.signature],
});

/** Codes and fingerprints may be any text here, so every wrong one returns the same error. */
export const EnrollBody = strictObject(
  {
    enrollment_code: exampleText(code),
    fingerprint: exampleText(fingerprint),
    attestation_kind: Type.Optional(AttestationKind),
    /** The id of the device that the code is for. */
    device_id: Type.Optional(uuid(ids.device)),
    /** The device's own key, which it signs with from then on. Needs signature. */
    public_key: Type.Optional(DeviceKey),
    /** By that key, over `svc-device-enrol-v1|<enrollment_code>|<thumbprint of the key>`. */
    signature: Type.Optional(DeviceSignature),
  },
  'DeviceEnrollParams',
);
export const EnrollReply = strictObject({
  device: Device,
  tenant_id: uuid(ids.tenant),
});

/** What a device signs a request with. */
const signed = {
  jti: Type.String({
    pattern: '^[A-Za-z0-9_-]{16,64}$',
    description: 'random and new for each request: 16 to 64 characters of base64url',
    examples: [deviceKey.jti],
  }),
  timestamp: Type.Integer({
    minimum: 0,
    maximum: 8_640_000_000_000_000,
    description: 'Unix milliseconds, at most 60 seconds from the time of the service',
    examples: [Date.parse(times.begun)],
  }),
  signature: DeviceSignature,
};

/** Of the rest of the body that it stands in. */
export const SignedByDevice = strictObject({ id: uuid(ids.device), ...signed }, 'SignedByDevice');

export const SessionBody = strictObject({ deviceId: uuid(ids.device), ...signed }, 'DeviceSessionParams');
export const SessionReply = strictObject(
  {
    token: exampleText(secrets.deviceToken, 'Send it as `Authorization: Bearer <token>`.'),
    expiresIn: Type.Integer({ description: 'Seconds.', examples: [43_200] }),
    tenantId: uuid(ids.tenant),
    environment: Environment,
  },
  'DeviceSession',
);
