import { exportRows } from '../../http/export.js';
import { console, route } from '../../http/route.js';
import { consolePage } from '../../records/console-list.js';
import { EnvironmentQuery } from '../../records/schema.js';
import { findVerification, searchedVerifications } from './verifications.js';
import {
  ConsoleVerificationList,
  ConsoleVerificationReply,
  ConsoleVerificationsQuery,
  verificationExport,
} from './verifications.schema.js';

export const verificationsConsole = [
  route({
    operationId: 'consoleListVerifications',
    method: 'GET',
    path: '/api/console/verifications',
    summary: 'List verification events of an environment, newest first by default',
    auth: console,
    schemas: { query: ConsoleVerificationsQuery },
    replies: { 200: ConsoleVerificationList },
    compress: true,
    handler: (context) => consolePage(context, 'verifications', searchedVerifications),
  }),
  route({
    operationId: 'consoleExportVerifications',
    method: 'GET',
    path: '/api/console/verifications/export',
    summary: 'Export the filtered list as CSV or JSON Lines',
    auth: console,
    ...verificationExport.route,
    handler: (context) =>
      exportRows(context, 'verifications', searchedVerifications, verificationExport.fields),
  }),
  route({
    operationId: 'consoleGetVerification',
    method: 'GET',
    path: '/api/console/verifications/:id',
    summary: 'Get a verification event',
    auth: console,
    schemas: { params: { id: 'verification_not_found' }, query: EnvironmentQuery },
    replies: { 200: ConsoleVerificationReply },
    handler: async ({ read, params }) => {
      const [verification] = await searchedVerifications.show(read, [
        await findVerification(read, params.id),
      ]);
      return { verification };
    },
  }),
];
