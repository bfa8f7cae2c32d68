import { catchError } from '../../base/errors.js';
import { console, route } from '../../http/route.js';
import { EnvironmentQuery } from '../../records/schema.js';
import { createUser } from './users.js';
import * as schema from './users.schema.js';

export const usersConsole = [
  route({
    operationId: 'consoleImportUsers',
    method: 'POST',
    path: '/api/console/users/import',
    summary: 'Create up to 100 users, each by itself; one whose external ID exists is left as it is',
    auth: console({ role: 'developer', stepUp: false }),
    schemas: { query: EnvironmentQuery, body: schema.ImportUsersBody },
    replies: { 200: schema.ImportUsersReply },
    async handler({ write, deps, body }) {
      const users: { id: string | null }[] = [];
      for (const fields of body.users) {
        const work = write('user.created', (w) => createUser(w, deps, fields));
        users.push({ id: (await catchError('external_id_conflict', work))?.id ?? null });
      }
      return { users };
    },
  }),
];
