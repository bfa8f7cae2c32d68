import { isSvcError } from '@svc/sdk';
import { Notice } from '../../../ui/layout/surface';

/** Whether the service refuses attendance because it is working time, and the member has no right over hours. */
export const isHoursOnly = (error: unknown): boolean => isSvcError(error, 'role_insufficient');

export const HoursOnly = () => (
  <Notice>Attendance is working time here. Only members with a right over hours see that of others.</Notice>
);
