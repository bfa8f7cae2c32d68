import { key, route } from '../../http/route.js';
import { attendanceList, createAttendance, requireAttendance, serializeAttendance } from './attendance.js';
import * as schema from './attendance.schema.js';

export const attendanceV1 = [
  route({
    operationId: 'createAttendance',
    method: 'POST',
    path: '/v1/attendance',
    summary: 'Record a check-in or check-out',
    auth: key('attendance:write'),
    schemas: { body: schema.CreateAttendanceBody },
    replies: { 201: schema.AttendanceReply },
    errors: ['user_not_found', 'device_not_found', 'verification_not_found'],
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
    summary: 'List attendance events, newest first',
    auth: key('attendance:read'),
    schemas: { query: schema.ListAttendanceQuery },
    replies: { 200: schema.AttendanceListReply },
    compress: true,
    handler: (context) => attendanceList(context),
  }),
  route({
    operationId: 'getAttendance',
    method: 'GET',
    path: '/v1/attendance/:attendanceId',
    summary: 'Get an attendance event',
    auth: key('attendance:read'),
    schemas: { params: { attendanceId: 'attendance_not_found' } },
    replies: { 200: schema.AttendanceReply },
    handler: async ({ read, params }) => ({
      attendance: serializeAttendance(await requireAttendance(read, params.attendanceId)),
    }),
  }),
];
