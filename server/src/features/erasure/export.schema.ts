import type { TSchema } from 'typebox';
import { exampleOf } from '../../http/openapi/example.js';
import { ids, times } from '../../model/example-fixtures.js';
import { Attendance } from '../attendance/attendance.js';
import { User } from '../users/users.js';
import { Verification } from '../verifications/verifications.js';
import { SECTION_NAMES } from './export.store.js';

export const PERSON_DISPOSITION = {
  description: 'The file name, with the id of the user.',
  example: `attachment; filename="user-${ids.user}.json"`,
} as const;

const exampleFor = (schema: TSchema) => exampleOf(schema, 'export');

export const PERSON_EXAMPLE = JSON.stringify({
  exportedAt: times.begun,
  environment: 'live',
  user: exampleFor(User),
  ...Object.fromEntries(SECTION_NAMES.map((name) => [name, []])),
  verifications: [exampleFor(Verification)],
  attendance: [exampleFor(Attendance)],
});
