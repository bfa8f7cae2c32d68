import { exportRows } from '../../http/export.js';
import { key, route } from '../../http/route.js';
import { listText, showRow } from '../../records/list.js';
import { EnvironmentQuery } from '../../records/schema.js';
import { requireAttendanceReader } from '../sites/sites.js';
import {
  attendanceListing,
  createAttendance,
  requireAttendance,
  sealedAttendance,
  serializeAttendance,
} from './attendance.js';
import * as schema from './attendance.schema.js';
import { readPresence } from './presence.js';
import { PresenceReply } from './presence.schema.js';

export const attendanceV1 = [
  route({
    operationId: 'createAttendance',
    method: 'POST',
    path: '/v1/attendance',
    summary: 'Record a check-in or check-out',
    auth: key('attendance:write'),
    schemas: { body: schema.CreateAttendanceBody },
    replies: { 201: schema.AttendanceReply },
    errors: [
      'user_not_found',
      'user_erased',
      'device_not_found',
      'verification_not_found',
      // A repeated request whose event was deleted since.
      'attendance_not_found',
    ],
    handler: async ({ write, deps, body }) => ({
      attendance: serializeAttendance(
        await write('attendance.created', (w) => createAttendance(w, deps, body)),
      ),
    }),
    replay: async ({ read }, id) => ({ attendance: serializeAttendance(await requireAttendance(read, id)) }),
  }),
  route({
    operationId: 'listAttendance',
    method: 'GET',
    path: '/v1/attendance',
    summary: 'List attendance events, newest first by default',
    auth: key('attendance:read', { console: { role: 'auditor' } }),
    schemas: { query: schema.ListAttendanceQuery },
    replies: { 200: schema.AttendanceListReply },
    compress: true,
    handler: async (context) => {
      await requireAttendanceReader(context);
      return listText(context, 'attendance', attendanceListing);
    },
  }),
  route({
    operationId: 'exportAttendance',
    method: 'GET',
    path: '/v1/attendance/export',
    summary: 'Export the filtered list as CSV or JSON Lines',
    auth: key('attendance:read', { console: { role: 'auditor' } }),
    ...schema.attendanceExport.route,
    handler: async (context) => {
      await requireAttendanceReader(context);
      return exportRows(
        context,
        'attendance',
        attendanceListing,
        schema.attendanceExport.fields,
        sealedAttendance,
      );
    },
  }),
  route({
    operationId: 'getPresence',
    method: 'GET',
    path: '/v1/attendance/presence',
    summary: 'Get who is present, by the check-ins and check-outs of the last 24 hours',
    description:
      'Only accepted events count, at most the newest 10,000 of each type. A check-in after a check-in, and a check-out after a check-out, ' +
      'change nothing.',
    auth: key('attendance:read', { console: { role: 'member' } }),
    schemas: { query: EnvironmentQuery },
    replies: { 200: PresenceReply },
    compress: true,
    handler: ({ deps, scope }) => readPresence(deps.history.of(scope), deps),
  }),
  route({
    operationId: 'getAttendance',
    method: 'GET',
    path: '/v1/attendance/:attendanceId',
    summary: 'Get an attendance event',
    auth: key('attendance:read', { console: { role: 'auditor' } }),
    schemas: { params: { attendanceId: 'attendance_not_found' }, query: schema.GetAttendanceQuery },
    replies: { 200: schema.NamedAttendanceReply },
    handler: async (context) => {
      await requireAttendanceReader(context);
      const row = await requireAttendance(context.read, context.params.attendanceId);
      return { attendance: await showRow(context, attendanceListing, row) };
    },
  }),
];
