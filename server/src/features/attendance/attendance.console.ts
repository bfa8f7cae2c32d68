import { exportRows } from '../../http/export.js';
import { console, route } from '../../http/route.js';
import { consolePage } from '../../records/console-list.js';
import { EnvironmentQuery } from '../../records/schema.js';
import { requireAttendance, searchedAttendance } from './attendance.js';
import {
  attendanceExport,
  ConsoleAttendanceList,
  ConsoleAttendanceQuery,
  ConsoleAttendanceReply,
} from './attendance.schema.js';

export const attendanceConsole = [
  route({
    operationId: 'consoleListAttendance',
    method: 'GET',
    path: '/api/console/attendance',
    summary: 'List attendance events of an environment, newest first by default',
    auth: console,
    schemas: { query: ConsoleAttendanceQuery },
    replies: { 200: ConsoleAttendanceList },
    compress: true,
    handler: (context) => consolePage(context, 'attendance', searchedAttendance),
  }),
  route({
    operationId: 'consoleExportAttendance',
    method: 'GET',
    path: '/api/console/attendance/export',
    summary: 'Export the filtered list as CSV or JSON Lines',
    auth: console,
    ...attendanceExport.route,
    handler: (context) => exportRows(context, 'attendance', searchedAttendance, attendanceExport.fields),
  }),
  route({
    operationId: 'consoleGetAttendance',
    method: 'GET',
    path: '/api/console/attendance/:id',
    summary: 'Get an attendance event',
    auth: console,
    schemas: { params: { id: 'attendance_not_found' }, query: EnvironmentQuery },
    replies: { 200: ConsoleAttendanceReply },
    handler: async ({ read, params }) => {
      const [attendance] = await searchedAttendance.show(read, [await requireAttendance(read, params.id)]);
      return { attendance };
    },
  }),
];
