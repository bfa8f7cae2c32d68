import { key, route } from '../../http/route.js';
import { closeMonth, readMonth } from './closings.js';
import { SHEET_FILES, sheetsReply } from './files.js';
import { readHere } from './here.js';
import { markDay, removeMark, requireMark, serializeMark } from './marks.js';
import * as schema from './sheets.schema.js';
import type { WriteHours } from './write-hours.js';

const month = { month: { pattern: /^20[0-9]{2}-(0[1-9]|1[0-2])$/, example: '2026-05' } } as const;

export const sheetsV1 = (writeHours: WriteHours) => [
  route({
    operationId: 'listSheets',
    method: 'GET',
    path: '/v1/attendance/sheets',
    summary: 'List the sheets of a site’s month, or write them as a file',
    description:
      'Minutes are cut to what the sheet shows and then subtracted, so anybody can add them up by hand. Nothing is rounded, and no break is deducted that nobody took. What does not fit is flagged, never guessed. Each opening is in the audit log, and people see on their phones who looked.',
    auth: key('attendance:read', { console: { role: 'member', right: 'sheets' } }),
    schemas: { query: schema.SheetsQuery },
    replies: { 200: schema.SheetsReply },
    otherMedia: SHEET_FILES,
    errors: ['site_not_found', 'user_not_found'],
    compress: true,
    handler: (context) => sheetsReply(context, writeHours),
  }),
  route({
    operationId: 'getMonth',
    method: 'GET',
    path: '/v1/attendance/months/:month',
    summary: 'Get the open flags and the closings of a month',
    auth: key('attendance:read', { console: { role: 'member', right: 'sheets' } }),
    schemas: { params: { month: 'month_not_found' }, forms: month, query: schema.MonthQuery },
    replies: { 200: schema.MonthReply },
    errors: ['site_not_found'],
    handler: (context) => readMonth(context, context.query.siteId, context.params.month),
  }),
  route({
    operationId: 'closeMonth',
    method: 'POST',
    path: '/v1/attendance/months/:month/close',
    summary: 'Close the sheets of a month',
    description:
      'One root over salted hashes of the sheets goes into the audit chain, without names. Closing again makes the next version, and says whose sheets changed.',
    auth: key('attendance:write', { console: { role: 'member', right: 'hours' } }),
    schemas: { params: { month: 'month_not_found' }, forms: month, body: schema.CloseBody },
    replies: { 201: schema.CloseReply },
    errors: ['site_not_found', 'month_flags_open', 'month_not_over', 'month_changed'],
    handler: (context) => closeMonth(context, context.params.month, context.body),
  }),
  route({
    operationId: 'createAttendanceMark',
    method: 'POST',
    path: '/v1/attendance/marks',
    summary: 'Mark a day of a person, for example as a holiday',
    description:
      'Absences live in another system. Sheets show the mark and never count it; others see only that the person is absent. The same code on the same day is the same mark.',
    auth: key('attendance:write', { console: { role: 'member', right: 'hours' } }),
    schemas: { body: schema.MarkBody },
    replies: { 201: schema.MarkReply },
    errors: ['user_not_found', 'user_erased', 'attendance_mark_not_found'],
    handler: async (context) => ({ mark: serializeMark(await markDay(context, context.body)) }),
    replay: async ({ read }, id) => ({ mark: serializeMark(await requireMark(read, id)) }),
  }),
  route({
    operationId: 'deleteAttendanceMark',
    method: 'DELETE',
    path: '/v1/attendance/marks/:id',
    summary: 'Remove a mark',
    auth: key('attendance:write', { console: { role: 'member', right: 'hours' } }),
    schemas: { params: { id: 'attendance_mark_not_found' } },
    replies: { 200: schema.MarkReply },
    handler: async (context) => ({ mark: serializeMark(await removeMark(context, context.params.id)) }),
  }),
  route({
    operationId: 'getSitePresence',
    method: 'GET',
    path: '/v1/sites/:siteId/presence',
    summary: 'Get who is on site',
    description:
      'For reception and for an evacuation: the page of it can be printed, and works without a network.',
    auth: key('attendance:read', { console: { role: 'member' } }),
    schemas: { params: { siteId: 'site_not_found' } },
    replies: { 200: schema.HereReply },
    compress: true,
    handler: ({ read, deps, params }) => readHere(read, deps, params.siteId),
  }),
];
