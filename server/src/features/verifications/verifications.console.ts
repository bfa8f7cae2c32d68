import { consolePage } from '../../http/console-list.js';
import { exportRows } from '../../http/export.js';
import { console, route } from '../../http/route.js';
import { searchedVerifications } from './verifications.js';
import {
  ConsoleVerificationList,
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
];
