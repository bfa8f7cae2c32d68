import { consolePage } from '../../http/console-list.js';
import { exportRows } from '../../http/export.js';
import { console, route } from '../../http/route.js';
import { searchedAttendance } from './attendance.js';
import { attendanceExport, ConsoleAttendanceList, ConsoleAttendanceQuery } from './attendance.schema.js';

export const attendanceConsole = [
  route({
    operationId: 'consoleListAttendance',
    method: 'GET',
    path: '/api/console/attendance',
    summary: 'List attendance events of an environment, newest first by default',
    auth: console,
    schemas: { query: ConsoleAttendanceQuery },
    replies: { 200: ConsoleAttendanceList },
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
];
