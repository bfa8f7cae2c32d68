import { exportRows } from '../../http/export.js';
import { key, open, route } from '../../http/route.js';
import { listText } from '../../records/list.js';
import { openDeviceSession } from './device-session.js';
import {
  changeDevice,
  createDevice,
  deviceListing,
  enrollByCode,
  findDevice,
  sealedDevices,
  serializeDevice,
} from './devices.js';
import * as schema from './devices.schema.js';

export const devicesV1 = [
  route({
    operationId: 'createDevice',
    method: 'POST',
    path: '/v1/devices',
    summary: 'Register a device of a trusted service; it is enrolled immediately',
    auth: key('devices:write'),
    schemas: { body: schema.CreateDeviceBody },
    replies: { 201: schema.DeviceReply },
    errors: ['external_id_conflict'],
    handler: async ({ write, deps, body }) => ({
      device: serializeDevice(await write('device.created', (w) => createDevice(w, deps, body))),
    }),
    replay: async ({ read }, id) => ({ device: serializeDevice(await findDevice(read, id)) }),
  }),
  route({
    operationId: 'listDevices',
    method: 'GET',
    path: '/v1/devices',
    summary: 'List devices, newest first by default',
    auth: key('devices:read', { console: { role: 'member' } }),
    schemas: { query: schema.ListDevicesQuery },
    replies: { 200: schema.DeviceListReply },
    compress: true,
    handler: (context) => listText(context, 'devices', deviceListing),
  }),
  route({
    operationId: 'exportDevices',
    method: 'GET',
    path: '/v1/devices/export',
    summary: 'Export the filtered list as CSV or JSON Lines',
    auth: key('devices:read', { console: { role: 'auditor' } }),
    ...schema.deviceExport.route,
    handler: (context) =>
      exportRows(context, 'devices', deviceListing, schema.deviceExport.fields, sealedDevices),
  }),
  route({
    operationId: 'getDevice',
    method: 'GET',
    path: '/v1/devices/:deviceId',
    summary: 'Get a device',
    auth: key('devices:read', { console: { role: 'member' } }),
    schemas: { params: { deviceId: 'device_not_found' } },
    replies: { 200: schema.DeviceReply },
    handler: async ({ read, params }) => ({
      device: serializeDevice(await findDevice(read, params.deviceId)),
    }),
  }),
  route({
    operationId: 'updateDevice',
    method: 'PATCH',
    path: '/v1/devices/:deviceId',
    summary: 'Update a device; null clears a field, `retired` is final',
    auth: key('devices:write'),
    acts: schema.deviceActs,
    schemas: { params: { deviceId: 'device_not_found' }, body: schema.PatchDeviceBody },
    replies: { 200: schema.DeviceReply },
    errors: ['invalid_transition', 'external_id_conflict'],
    handler: async (context) => ({
      device: serializeDevice(await changeDevice(context, context.params.deviceId, context.body)),
    }),
  }),
  // The enrollment code is the only credential.
  route({
    operationId: 'enrollDevice',
    method: 'POST',
    path: '/v1/devices/enroll',
    summary: 'Claim a pending device with its one-time code',
    auth: open,
    acts: [{ act: 'enrol_device', by: 'proof' }],
    limit: { name: 'enroll', max: 10, windowSeconds: 60 },
    schemas: { body: schema.EnrollBody },
    replies: { 201: schema.EnrollReply },
    errors: ['enrollment_failed'],
    handler: (context) => enrollByCode(context, context.body),
  }),
  // The signature is the only credential. The kiosks of a site share an address and begin their day together.
  route({
    operationId: 'openDeviceSession',
    method: 'POST',
    path: '/v1/devices/session',
    summary: 'Open a session with the device’s own key, for 12 hours',
    description:
      'The device signs `svc-device-v1|<tenant id>|<environment>|<device id>|<jti>|<timestamp>|`, with nothing after the last bar. The token opens, watches and cancels registrations and pairing sessions, and reads the company’s profile.',
    auth: open,
    limit: { name: 'device-session', max: 60, windowSeconds: 60 },
    schemas: { body: schema.SessionBody },
    replies: { 201: schema.SessionReply },
    errors: ['device_signature_invalid'],
    secret: true,
    handler: (context) => openDeviceSession(context, context.body),
  }),
];
