import { page } from '../../kernel/list.js';
import { key, route } from '../../kernel/route.js';
import { createDevice, findDevice, listDevices, showDevice, updateDevice } from './devices.js';
import * as schema from './devices.schema.js';

export const devicesV1 = [
  route({
    method: 'POST',
    path: '/v1/devices',
    summary: 'Register a device of a trusted service; it is enrolled at once',
    auth: key('devices:write'),
    schemas: { body: schema.CreateDeviceBody },
    replies: { 201: schema.DeviceReply },
    errors: ['external_id_conflict'],
    handler: async ({ write, deps, body }) => ({
      device: showDevice(await write('device.created', (w) => createDevice(w, deps, body))),
    }),
    replay: async ({ read }, id) => ({ device: showDevice(await findDevice(read, id)) }),
  }),
  route({
    method: 'GET',
    path: '/v1/devices',
    summary: 'List devices, newest first',
    auth: key('devices:read'),
    schemas: { query: schema.ListDevicesQuery },
    replies: { 200: schema.DeviceListReply },
    async handler({ read, deps, scope, query }) {
      const { items, nextCursor } = await page(
        deps.cursors,
        scope,
        'devices',
        query,
        (count, before) => listDevices(read, query, count, before),
        (row) => row.id,
      );
      return { devices: items.map(showDevice), environment: scope.environment, nextCursor };
    },
  }),
  route({
    method: 'PATCH',
    path: '/v1/devices/:deviceId',
    summary: 'Change a device; null clears a field, `retired` is final',
    auth: key('devices:write'),
    schemas: { params: { deviceId: 'device_not_found' }, body: schema.PatchDeviceBody },
    replies: { 200: schema.DeviceReply },
    errors: ['invalid_transition', 'external_id_conflict'],
    handler: async ({ write, deps, params, body }) => ({
      device: showDevice(await write('device.updated', (w) => updateDevice(w, deps, params.deviceId, body))),
    }),
  }),
];
