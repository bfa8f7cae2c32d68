const LISTS = [
  'overview',
  'users',
  'devices',
  'registrations',
  'verifications',
  'pairing',
  'attendance',
  'approvals',
];

/** Every page of the dashboard, below `/dashboard`. */
export const DASHBOARD = [
  ...[...LISTS, 'webhooks', 'applications', 'requests', 'playground', 'audit'].flatMap((page) => [
    `/live/${page}`,
    `/test/${page}`,
  ]),
  ...['keys', 'security', 'profile', 'usage'].map((page) => `/account/${page}`),
];
