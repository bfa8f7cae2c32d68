import { key, open, route } from '../../../http/route.js';
import { SHEET_FILES } from '../files.js';
import { SheetsReply } from '../sheets.schema.js';
import type { WriteHours } from '../write-hours.js';
import { createInspection, listInspections, revokeInspection, serializeInspection } from './inspections.js';
import * as schema from './inspections.schema.js';
import { inspectedSheets } from './looks.js';
import { openInspection, requireInspector, showInspector } from './opening.js';

const console = { role: 'member', right: 'inspections' } as const;

/** What the account does. */
const ofAccount = [
  route({
    operationId: 'createInspection',
    method: 'POST',
    path: '/v1/attendance/inspections',
    summary: 'Let somebody without an account read the sheets of a site',
    description:
      'Give the link and the code on two ways. Both are in this response only. At most 48 months, for at most 30 days.',
    // Its link reads.
    auth: key('attendance:write', { also: 'attendance:read', console }),
    acts: ['open_inspection'],
    schemas: { body: schema.CreateBody },
    replies: { 201: schema.CreateReply },
    errors: ['site_not_found'],
    secret: true,
    handler: (context) => createInspection(context, context.body),
  }),
  route({
    operationId: 'listInspections',
    method: 'GET',
    path: '/v1/attendance/inspections',
    summary: 'List inspections, newest first',
    auth: key('attendance:read', { console }),
    schemas: { query: schema.ListQuery },
    replies: { 200: schema.ListReply },
    errors: ['site_not_found'],
    compress: true,
    handler: (context) => listInspections(context),
  }),
  route({
    operationId: 'revokeInspection',
    method: 'DELETE',
    path: '/v1/attendance/inspections/:id',
    summary: 'End an inspection',
    description: 'The link stops working, and pages that are open end with their next request.',
    auth: key('attendance:write', { console }),
    schemas: { params: { id: 'inspection_not_found' } },
    replies: { 200: schema.InspectionReply },
    handler: async (context) => ({
      inspection: serializeInspection(await revokeInspection(context, context.params.id)),
    }),
  }),
];

const limit = { name: 'inspection', max: 300, windowSeconds: 60 } as const;
const headers = {
  'X-Inspection-Token': 'The token of `POST /v1/attendance/inspections/open`. Required.',
};

/** What somebody with the link and the code does. */
const ofInspector = (writeHours: WriteHours) => [
  route({
    operationId: 'openInspection',
    method: 'POST',
    path: '/v1/attendance/inspections/open',
    summary: 'Open an inspection by its link and its code',
    description:
      'Five wrong codes lock the link for 15 minutes, and twenty end it. The response is the same 404 for whatever is wrong.',
    auth: open,
    limit: { name: 'inspection-open', max: 30, windowSeconds: 900 },
    schemas: { body: schema.OpenBody },
    replies: { 201: schema.OpenReply },
    errors: ['inspection_not_found'],
    secret: true,
    handler: (context) => openInspection(context, context.body),
  }),
  route({
    operationId: 'getInspection',
    method: 'GET',
    path: '/v1/attendance/inspections/current',
    summary: 'Get what the inspection of this session is about',
    auth: open,
    limit,
    headers,
    replies: { 200: schema.CurrentReply },
    errors: ['inspection_not_found'],
    noStore: true,
    handler: async (context) => ({ inspection: showInspector(await requireInspector(context)) }),
  }),
  route({
    operationId: 'readInspectionSheets',
    method: 'GET',
    path: '/v1/attendance/inspections/current/sheets',
    summary: 'Read the sheets of a month of the inspection, or write them as a file',
    description: 'Each look is in the audit log, and people see on their phones that somebody looked.',
    auth: open,
    limit,
    headers,
    schemas: { query: schema.InspectedQuery },
    replies: { 200: SheetsReply },
    otherMedia: SHEET_FILES,
    errors: ['inspection_not_found'],
    compress: true,
    handler: (context) => inspectedSheets(context, writeHours),
  }),
];

export const inspectionsV1 = (writeHours: WriteHours) => [...ofAccount, ...ofInspector(writeHours)];
