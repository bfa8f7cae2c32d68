import { console, route } from '../../http/route.js';
import { EnvironmentQuery } from '../../records/schema.js';
import { confirmName, serializeUser } from './users.js';
import { ConfirmNameBody, UserReply } from './users.schema.js';

export const usersConsole = [
  route({
    operationId: 'consoleConfirmName',
    method: 'POST',
    path: '/api/console/users/:userId/confirm-name',
    summary: 'Confirm the name of a user',
    description:
      'Sets `nameConfirmation`: which member confirms it, when, and how they know it. Another name clears it. No API key can do this.',
    auth: console({ role: 'reception' }),
    acts: ['confirm_name'],
    schemas: { params: { userId: 'user_not_found' }, query: EnvironmentQuery, body: ConfirmNameBody },
    replies: { 200: UserReply },
    errors: ['user_erased'],
    handler: async ({ write, deps, principal, params, body }) => ({
      user: serializeUser(
        await write('user.updated', (w) =>
          confirmName(w, deps, params.userId, {
            memberId: principal.member.id,
            deviceId: null,
            how: body.how,
          }),
        ),
      ),
    }),
  }),
];
