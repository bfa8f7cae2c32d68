import { console, route } from '../../http/route.js';
import { forConsole } from '../../http/schema.js';
import { attendanceList } from './attendance.js';
import { AttendanceListReply, ListAttendanceQuery } from './attendance.schema.js';

export const attendanceConsole = [
  route({
    operationId: 'consoleListAttendance',
    method: 'GET',
    path: '/api/console/attendance',
    summary: 'List attendance events of an environment, newest first',
    auth: console,
    schemas: { query: forConsole(ListAttendanceQuery) },
    replies: { 200: AttendanceListReply },
    handler: (context) => attendanceList(context),
  }),
];
