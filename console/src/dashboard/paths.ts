import type { Environment } from './api';

export type EnvironmentPage =
  | 'overview'
  | 'users'
  | 'devices'
  | 'registrations'
  | 'verifications'
  | 'pairing'
  | 'attendance'
  | 'approvals'
  | 'webhooks'
  | 'applications'
  | 'requests'
  | 'playground'
  | 'audit';
export type AccountPage = 'keys' | 'security' | 'profile' | 'team' | 'usage' | 'your-security';

/** The lists whose records have addresses of their own. */
export type RecordPage =
  | 'users'
  | 'devices'
  | 'registrations'
  | 'verifications'
  | 'pairing'
  | 'attendance'
  | 'approvals'
  | 'webhooks'
  | 'applications'
  | 'audit';

/** Every address of the dashboard is built here, below `/dashboard`. */
export const pageIn = (
  environment: Environment,
  page: EnvironmentPage,
  query: Readonly<Record<string, string>> = {},
): string => {
  const search = new URLSearchParams(query).toString();
  return `/${environment}/${page}${search && `?${search}`}`;
};

export const accountPage = (page: AccountPage): string => `/account/${page}`;

export const recordIn = (environment: Environment, page: RecordPage, id: string | number): string =>
  `/${environment}/${page}/${encodeURIComponent(id)}`;
