import type { Environment } from './operations/api';

/** Where the pages of an environment are, below `/dashboard/live` or `/dashboard/test`: in rooms, by what people do. */
const IN_ENVIRONMENT = {
  overview: 'home',
  open: 'open',
  users: 'people',
  registrations: 'people/registrations',
  applications: 'sign-in/applications',
  devices: 'sign-in/devices',
  activity: 'activity',
  verifications: 'activity/verifications',
  pairing: 'activity/pairings',
  attendance: 'activity/attendance',
  approvals: 'activity/approvals',
  here: 'time/here',
  month: 'time/month',
  corrections: 'time/corrections',
  sites: 'time/sites',
  webhooks: 'developers/webhooks',
  requests: 'developers/requests',
  playground: 'developers/playground',
  start: 'developers/start',
  audit: 'trust/audit',
  check: 'trust/check',
  anchors: 'trust/anchors',
  receipts: 'trust/receipts',
  exports: 'trust/exports',
} as const;

/** Where the pages of the account are. They are about both environments, so their addresses name none. */
const OF_ACCOUNT = {
  security: 'sign-in/policy',
  keys: 'developers/keys',
  profile: 'settings/company',
  team: 'settings/team',
  'your-security': 'settings/security',
  usage: 'settings/usage',
} as const;

export type EnvironmentPage = keyof typeof IN_ENVIRONMENT;
export type AccountPage = keyof typeof OF_ACCOUNT;

/** The lists whose records have addresses of their own. */
export type RecordPage = Exclude<
  EnvironmentPage,
  | 'overview'
  | 'open'
  | 'activity'
  | 'here'
  | 'corrections'
  | 'sites'
  | 'requests'
  | 'playground'
  | 'start'
  | 'check'
  | 'anchors'
  | 'receipts'
  | 'exports'
>;

/** A page's address below its environment or the dashboard, for a route. */
export const routeOf = (page: EnvironmentPage | AccountPage): string =>
  ({ ...IN_ENVIRONMENT, ...OF_ACCOUNT })[page];

/** Every address of the dashboard is built here, below `/dashboard`. */
export const pageIn = (
  environment: Environment,
  page: EnvironmentPage,
  query: Readonly<Record<string, string>> = {},
): string => {
  const search = new URLSearchParams(query).toString();
  return `/${environment}/${IN_ENVIRONMENT[page]}${search && `?${search}`}`;
};

export const accountPage = (page: AccountPage): string => `/${OF_ACCOUNT[page]}`;

export const recordIn = (environment: Environment, page: RecordPage, id: string | number): string =>
  `${pageIn(environment, page)}/${encodeURIComponent(id)}`;

/**
 * Where a page or record is that had another address before the rooms: `/live/users/<id>`, `/account/keys`. Addresses are kept in
 * bookmarks, e-mails and other people's documents, so these work for good.
 */
export function addressSince(pathname: string): string | undefined {
  const [, place = '', page = '', ...rest] = pathname.split('/');
  const isEnvironment = place === 'live' || place === 'test';
  const routes: Readonly<Record<string, string>> = isEnvironment ? IN_ENVIRONMENT : FORMER_ACCOUNT;
  if (!(isEnvironment || place === 'account') || !Object.hasOwn(routes, page)) return undefined;
  return [...(isEnvironment ? ['', place] : ['']), routes[page], ...rest].join('/');
}

const FORMER_ACCOUNT = { ...OF_ACCOUNT, password: OF_ACCOUNT['your-security'] };
