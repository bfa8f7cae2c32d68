import { console, route } from '../../http/route.js';
import { forConsole } from '../../http/schema.js';
import { verificationList } from './verifications.js';
import { ListVerificationsQuery, VerificationListReply } from './verifications.schema.js';

export const verificationsConsole = [
  route({
    operationId: 'consoleListVerifications',
    method: 'GET',
    path: '/api/console/verifications',
    summary: 'List verification events of an environment, newest first',
    auth: console,
    schemas: { query: forConsole(ListVerificationsQuery) },
    replies: { 200: VerificationListReply },
    handler: (context) => verificationList(context),
  }),
];
