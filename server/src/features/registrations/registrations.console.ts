import { console, route } from '../../http/route.js';
import { EnvironmentQuery, forConsole } from '../../records/schema.js';
import { abandonSession, openSession, readSession, sessionList } from './registrations.js';
import * as schema from './registrations.schema.js';

export const registrationsConsole = [
  route({
    operationId: 'consoleListRegistrations',
    method: 'GET',
    path: '/api/console/registrations',
    summary: 'List registrations of an environment, newest first',
    auth: console,
    schemas: { query: forConsole(schema.ListRegistrationsQuery) },
    replies: { 200: schema.RegistrationListReply },
    compress: true,
    handler: (context) => sessionList(context),
  }),
  route({
    operationId: 'consoleCreateRegistration',
    method: 'POST',
    path: '/api/console/registrations',
    summary: 'Create a registration',
    auth: console,
    schemas: { query: EnvironmentQuery, body: schema.OpenBody },
    replies: { 201: schema.OpenReply },
    errors: ['external_id_conflict', 'device_not_found', 'rate_limit_exceeded'],
    secret: true,
    handler: ({ write, deps, body }) =>
      write('registration.started', (w) => openSession(w, deps, body.profile), 'tenant'),
  }),
  route({
    operationId: 'consoleGetRegistration',
    method: 'GET',
    path: '/api/console/registrations/:id',
    summary: 'Get the state of a registration',
    auth: console,
    schemas: { params: { id: 'session_not_found' }, query: EnvironmentQuery },
    replies: { 200: schema.SessionReply },
    handler: async ({ read, deps, params }) => ({ session: await readSession(read, deps, params.id) }),
  }),
  route({
    operationId: 'consoleCancelRegistration',
    method: 'DELETE',
    path: '/api/console/registrations/:id',
    summary: 'Abandon a registration; no effect if it has ended',
    auth: console,
    schemas: { params: { id: 'session_not_found' }, query: EnvironmentQuery },
    replies: { 200: schema.SessionReply },
    handler: async (context) => ({ session: await abandonSession(context, context.params.id) }),
  }),
];
