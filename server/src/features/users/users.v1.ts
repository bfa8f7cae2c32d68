import { exportRows } from '../../http/export.js';
import { key, route } from '../../http/route.js';
import { listText, showRow } from '../../records/list.js';
import { namedUserListing } from './device-names.js';
import { importUsers, replayImport } from './import.js';
import { createUser, requireUser, sealedUsers, serializeUser, updateUser } from './users.js';
import * as schema from './users.schema.js';

export const usersV1 = [
  route({
    operationId: 'createUser',
    method: 'POST',
    path: '/v1/users',
    summary: 'Create a user: reference data of a person, never biometric',
    auth: key('users:write', { console: { role: 'reception' } }),
    acts: [{ act: 'write_claims', by: 'record' }],
    schemas: { body: schema.CreateUserBody },
    replies: { 201: schema.UserReply },
    errors: ['external_id_conflict', 'device_not_found', 'site_not_found', 'employee_code_taken'],
    handler: async ({ write, deps, principal, body }) => ({
      user: serializeUser(await write('user.created', (w) => createUser(w, deps, principal, body))),
    }),
    replay: async ({ read }, id) => ({ user: serializeUser(await requireUser(read, id)) }),
  }),
  route({
    operationId: 'importUsers',
    method: 'POST',
    path: '/v1/users/import',
    summary: 'Create up to 100 users together; one whose external ID exists is left as it is',
    auth: key('users:write', { console: { role: 'developer' } }),
    acts: [{ act: 'write_claims', by: 'record' }],
    schemas: { body: schema.ImportUsersBody },
    replies: { 200: schema.ImportUsersReply },
    handler: async ({ write, deps, principal, body }) => ({
      users: await importUsers((work) => write('user.created', work), deps, principal, body.users),
    }),
    replay: async ({ read, body }, id) => ({ users: await replayImport(read, body.users, id) }),
  }),
  route({
    operationId: 'listUsers',
    method: 'GET',
    path: '/v1/users',
    summary: 'List users, newest first by default',
    auth: key('users:read', { console: { role: 'member' } }),
    schemas: { query: schema.ListUsersQuery },
    replies: { 200: schema.UserListReply },
    compress: true,
    handler: (context) => listText(context, 'users', namedUserListing),
  }),
  route({
    operationId: 'exportUsers',
    method: 'GET',
    path: '/v1/users/export',
    summary: 'Export the filtered list as CSV or JSON Lines',
    auth: key('users:read', { console: { role: 'auditor' } }),
    ...schema.userExport.route,
    handler: (context) =>
      exportRows(context, 'users', namedUserListing, schema.userExport.fields, sealedUsers),
  }),
  route({
    operationId: 'getUser',
    method: 'GET',
    path: '/v1/users/:userId',
    summary: 'Get a user',
    auth: key('users:read', { console: { role: 'member' } }),
    schemas: { params: { userId: 'user_not_found' }, query: schema.GetUserQuery },
    replies: { 200: schema.NamedUserReply },
    handler: async (context) => ({
      user: await showRow(context, namedUserListing, await requireUser(context.read, context.params.userId)),
    }),
  }),
  route({
    operationId: 'updateUser',
    method: 'PATCH',
    path: '/v1/users/:userId',
    summary: 'Update a user; null clears a field, `inactive` ends their sessions',
    auth: key('users:write', { console: { role: 'reception' } }),
    acts: [
      { act: 'write_claims', by: 'record' },
      { act: 'deactivate', if: ({ status }) => status === 'inactive' },
      { act: 'readmit', by: 'record' },
    ],
    schemas: { params: { userId: 'user_not_found' }, body: schema.PatchUserBody },
    replies: { 200: schema.UserReply },
    errors: [
      'external_id_conflict',
      'device_not_found',
      'site_not_found',
      'employee_code_taken',
      'user_erased',
    ],
    handler: async ({ write, deps, principal, params, body }) => ({
      user: serializeUser(
        await write('user.updated', (w) => updateUser(w, deps, principal, params.userId, body)),
      ),
    }),
  }),
];
