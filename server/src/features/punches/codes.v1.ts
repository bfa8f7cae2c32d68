import { key, route } from '../../http/route.js';
import { CodeReply } from './punches.schema.js';
import { openCode, streamCode } from './stream.js';

/** A device shows its own code. A program needs a scope that no key has by default. */
const auth = key('attendance:codes', { device: true });

export const attendanceCodesV1 = [
  route({
    operationId: 'openAttendanceCode',
    method: 'POST',
    path: '/v1/attendance/codes',
    summary: 'Get the code that people scan to clock in or out',
    description:
      'Any number of people use one code. It moves every 15 seconds, and each counts for a minute. A device has one code. The code of an API key has no place.',
    auth,
    replies: { 200: CodeReply },
    noStore: true,
    handler: async (context) => openCode(context),
  }),
  route({
    operationId: 'streamAttendanceCode',
    method: 'GET',
    path: '/v1/attendance/codes/:codeId/stream',
    summary: 'Follow a code: `code` for each new one, `attendance` for each punch by it',
    description:
      'An `attendance` event has `attendanceId`, `type`, `reason` and `at`, and the first name of the person only if the policy has `desk_names: "first"`. It has an `id`, so that a client which was cut off misses none. A `code` event has none, because only the newest is of use.',
    auth,
    schemas: { params: { codeId: 'attendance_code_invalid' } },
    replies: { 200: 'text/event-stream' },
    examples: {
      200: 'id: 42\nevent: attendance\ndata: {"attendanceId":"019dd36c-8dc0-7725-a7a9-d011bf6e6f9a","type":"check_in","reason":"work","at":"2026-05-12T09:30:00.000Z"}\n\n',
    },
    headers: { 'Last-Event-ID': 'The `id` of the last event that was received.' },
    errors: ['attendance_code_invalid', 'rate_limit_exceeded'],
    handler: (context) => streamCode(context, context.params.codeId, context.header('last-event-id')),
  }),
];
