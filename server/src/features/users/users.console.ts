import { exportRows } from '../../http/export.js';
import { console, route } from '../../http/route.js';
import { consolePage } from '../../records/console-list.js';
import { EnvironmentQuery } from '../../records/schema.js';
import { searchedUsers, showUser } from './search.js';
import { requireUser, updateUser } from './users.js';
import {
  ConsoleUserList,
  ConsoleUserReply,
  ConsoleUsersQuery,
  PatchUserBody,
  userExport,
} from './users.schema.js';

const params = { id: 'user_not_found' } as const;

export const usersConsole = [
  route({
    operationId: 'consoleListUsers',
    method: 'GET',
    path: '/api/console/users',
    summary: 'List users of an environment, newest first by default',
    auth: console,
    schemas: { query: ConsoleUsersQuery },
    replies: { 200: ConsoleUserList },
    compress: true,
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
  route({
    operationId: 'consoleGetUser',
    method: 'GET',
    path: '/api/console/users/:id',
    summary: 'Get a user',
    auth: console,
    schemas: { params, query: EnvironmentQuery },
    replies: { 200: ConsoleUserReply },
    handler: async ({ read, params: { id } }) => ({
      user: await showUser(read, await requireUser(read, id)),
    }),
  }),
  route({
    operationId: 'consoleUpdateUser',
    method: 'PATCH',
    path: '/api/console/users/:id',
    summary: 'Update a user; null clears a field, `inactive` ends their sessions',
    auth: console,
    schemas: { params, query: EnvironmentQuery, body: PatchUserBody },
    replies: { 200: ConsoleUserReply },
    errors: ['external_id_conflict', 'device_not_found'],
    handler: async ({ read, write, deps, params: { id }, body }) => ({
      user: await showUser(read, await write('user.updated', (w) => updateUser(w, deps, id, body))),
    }),
  }),
];
