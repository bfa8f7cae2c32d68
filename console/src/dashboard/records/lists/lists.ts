import type {
  AttendanceListParams,
  ConsoleDeviceListParams,
  Device,
  UserListParams,
  VerificationListParams,
} from '@svc/sdk';
import { type ListedAttendance, type ListedUser, type ListedVerification, listOptions, svc } from '../../api';
import type { ListQuery } from './list-query';

/** The lists of the console that can be searched, filtered and exported. */
export const LISTS = {
  users: (query: ListQuery & UserListParams) =>
    listOptions<ListedUser>(['users', query.environment, query], async (cursor, signal) => {
      const { users: items, ...page } = await svc.request(
        'listUsers',
        { query: { ...query, include: 'names,total', cursor } },
        { signal },
      );
      return { items, ...page };
    }),
  devices: (query: ListQuery & ConsoleDeviceListParams) =>
    listOptions<Device>(['devices', query.environment, query], async (cursor, signal) => {
      const { devices: items, ...page } = await svc.request(
        'consoleListDevices',
        { query: { ...query, cursor } },
        { signal },
      );
      return { items, ...page };
    }),
  verifications: (query: ListQuery & VerificationListParams) =>
    listOptions<ListedVerification>(['verifications', query.environment, query], async (cursor, signal) => {
      const { verifications: items, ...page } = await svc.request(
        'listVerifications',
        { query: { ...query, include: 'names,total', cursor } },
        { signal },
      );
      return { items, ...page };
    }),
  attendance: (query: ListQuery & AttendanceListParams) =>
    listOptions<ListedAttendance>(['attendance', query.environment, query], async (cursor, signal) => {
      const { attendance: items, ...page } = await svc.request(
        'listAttendance',
        { query: { ...query, include: 'names,total', cursor } },
        { signal },
      );
      return { items, ...page };
    }),
};
