import type { Environment } from '../api';
import type { DashboardPage } from '../pages';

/** The address of a page, below `/dashboard`. */
export const pathTo = ({ of, path }: Pick<DashboardPage, 'of' | 'path'>, environment: Environment): string =>
  of === 'account' ? `/account/${path}` : `/${environment}/${path}`;
