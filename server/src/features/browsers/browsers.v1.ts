import { key, route } from '../../http/route.js';
import { forgetBrowser, listBrowsers } from './browsers.js';
import * as schema from './browsers.schema.js';

export const browsersV1 = [
  route({
    operationId: 'listUserBrowsers',
    method: 'GET',
    path: '/v1/users/:userId/browsers',
    summary: 'List the browsers that are known to a user, the last one used first',
    description: 'At most 20. A browser that was unused for 180 days is forgotten.',
    auth: key('users:read', { console: { role: 'auditor' } }),
    schemas: { params: { userId: 'user_not_found' } },
    replies: { 200: schema.BrowserList },
    handler: async ({ read, deps, params: { userId } }) => ({
      browsers: await listBrowsers(read, deps, userId),
    }),
  }),
  route({
    operationId: 'forgetBrowser',
    method: 'DELETE',
    path: '/v1/browsers/:id',
    summary: 'Forget a browser of a user',
    description: 'Sessions and sign-ins that were opened with it stay.',
    auth: key('users:write', { console: { role: 'developer' } }),
    schemas: { params: { id: 'browser_not_found' } },
    replies: { 200: schema.BrowserReply },
    handler: async (context) => ({ browser: await forgetBrowser(context, context.params.id) }),
  }),
];
