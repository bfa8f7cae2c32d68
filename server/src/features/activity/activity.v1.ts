import { key, route } from '../../http/route.js';
import { listActivity } from './activity.js';
import { ActivityQuery, ActivityReply } from './activity.schema.js';

export const activityV1 = [
  route({
    operationId: 'listActivity',
    method: 'GET',
    path: '/v1/activity',
    summary: 'List verifications, pairings, attendance and approvals together, newest first',
    description:
      'Each has its kind, its time and its record, as the list of that kind returns it with `include=names`. With `userId`, the list also has audit events about the person. ' +
      'Pairings that a proof completed are only in the list with `kind=pairing`, because its verification is the same sign-in. An API key gets the kinds that its scopes let it read.',
    auth: key('verifications:read', { console: { role: 'auditor' } }),
    schemas: { query: ActivityQuery },
    replies: { 200: ActivityReply },
    compress: true,
    handler: (context) => listActivity(context),
  }),
];
