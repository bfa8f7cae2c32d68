import { console, route } from '../../http/route.js';
import { forConsole } from '../../http/schema.js';
import { userList } from './users.js';
import { ListUsersQuery, UserListReply } from './users.schema.js';

export const usersConsole = [
  route({
    operationId: 'consoleListUsers',
    method: 'GET',
    path: '/api/console/users',
    summary: 'List users of an environment, newest first',
    auth: console,
    schemas: { query: forConsole(ListUsersQuery) },
    replies: { 200: UserListReply },
    handler: (context) => userList(context),
  }),
];
