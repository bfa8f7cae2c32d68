import { consolePage } from '../../http/console-list.js';
import { exportRows } from '../../http/export.js';
import { console, route } from '../../http/route.js';
import { searchedUsers } from './search.js';
import { ConsoleUserList, ConsoleUsersQuery, userExport } from './users.schema.js';

export const usersConsole = [
  route({
    operationId: 'consoleListUsers',
    method: 'GET',
    path: '/api/console/users',
    summary: 'List users of an environment, newest first by default',
    auth: console,
    schemas: { query: ConsoleUsersQuery },
    replies: { 200: ConsoleUserList },
    handler: (context) => consolePage(context, 'users', searchedUsers),
  }),
  route({
    operationId: 'consoleExportUsers',
    method: 'GET',
    path: '/api/console/users/export',
    summary: 'Export the filtered list as CSV or JSON Lines',
    auth: console,
    ...userExport.route,
    handler: (context) => exportRows(context, 'users', searchedUsers, userExport.fields),
  }),
];
