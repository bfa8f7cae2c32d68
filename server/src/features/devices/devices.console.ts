import { console, route } from '../../http/route.js';
import { listText } from '../../records/list.js';
import { EnvironmentQuery } from '../../records/schema.js';
import {
  changeDevice,
  createPendingDevice,
  deviceListing,
  regenerateCode,
  revokeDevice,
  serializeDevice,
} from './devices.js';
import * as schema from './devices.schema.js';

export const devicesConsole = [
  route({
    operationId: 'consoleListDevices',
    method: 'GET',
    path: '/api/console/devices',
    summary: 'List devices, newest first by default',
    auth: console({ role: 'member' }),
    schemas: { query: schema.ConsoleDevicesQuery },
    replies: { 200: schema.ConsoleDeviceList },
    compress: true,
    handler: (context) =>
      listText({ ...context, query: { ...context.query, include: 'total' } }, 'devices', deviceListing),
  }),
  route({
    operationId: 'consoleCreateDevice',
    method: 'POST',
    path: '/api/console/devices',
    summary: 'Create a device and its one-time enrollment code, which is returned only once',
    auth: console({ role: 'developer' }),
    acts: ['enrol_device'],
    schemas: { query: EnvironmentQuery, body: schema.ConsoleDeviceBody },
    replies: { 201: schema.PendingDeviceReply },
    errors: ['rate_limit_exceeded'],
    secret: true,
    handler: ({ write, deps, body }) =>
      write('device.created', (w) => createPendingDevice(w, deps, body), 'tenant'),
  }),
  route({
    operationId: 'consoleRegenerateDeviceCode',
    method: 'POST',
    path: '/api/console/devices/:id/regenerate-code',
    summary: 'Replace the enrollment code of a pending device',
    auth: console({ role: 'developer' }),
    acts: ['enrol_device'],
    schemas: { params: { id: 'device_not_found' }, query: EnvironmentQuery },
    replies: { 201: schema.PendingDeviceReply },
    errors: ['device_not_pending', 'rate_limit_exceeded'],
    secret: true,
    handler: ({ write, deps, params }) =>
      write('device.code_regenerated', (w) => regenerateCode(w, deps, params.id), 'tenant'),
  }),
  route({
    operationId: 'consoleUpdateDevice',
    method: 'PATCH',
    path: '/api/console/devices/:id',
    summary: 'Change a device',
    auth: console({ role: 'developer' }),
    acts: schema.deviceActs,
    schemas: {
      params: { id: 'device_not_found' },
      query: EnvironmentQuery,
      body: schema.ConsolePatchBody,
    },
    replies: { 200: schema.DeviceReply },
    errors: ['invalid_transition'],
    handler: async (context) => ({
      device: serializeDevice(await changeDevice(context, context.params.id, context.body)),
    }),
  }),
  route({
    operationId: 'consoleRevokeDevice',
    method: 'DELETE',
    path: '/api/console/devices/:id',
    summary: 'Revoke a device permanently, with the identities created on it',
    auth: console({ role: 'developer' }),
    acts: ['revoke_device', { act: 'end_recovery', by: 'record' }],
    schemas: { params: { id: 'device_not_found' }, query: EnvironmentQuery },
    replies: { 200: schema.DeviceReply },
    handler: async (context) => ({ device: serializeDevice(await revokeDevice(context, context.params.id)) }),
  }),
];
