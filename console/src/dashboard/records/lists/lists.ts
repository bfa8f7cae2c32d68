import type {
  AttendanceListParams,
  ConsoleDeviceListParams,
  UserListParams,
  VerificationListParams,
} from '@svc/sdk';
import { pages } from '../../operations/operation';
import type { ListQuery } from './list-query';

const INCLUDED = { include: 'names,total' };

/** The lists of the console that can be searched, filtered and exported. */
export const LISTS = {
  users: (query: ListQuery & UserListParams) => pages('listUsers', { query: { ...query, ...INCLUDED } }),
  devices: (query: ListQuery & ConsoleDeviceListParams) => pages('consoleListDevices', { query }),
  verifications: (query: ListQuery & VerificationListParams) =>
    pages('listVerifications', { query: { ...query, ...INCLUDED } }),
  attendance: (query: ListQuery & AttendanceListParams) =>
    pages('listAttendance', { query: { ...query, ...INCLUDED } }),
};
