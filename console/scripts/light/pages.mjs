/**
 * The pages that people wait for on slow connections. They are built apart from the others, with at most 50 KB of script each
 * (docs/adr/0041-entries.md).
 */
export const LIGHT_PAGES = [
  'dashboard/login.html',
  'dashboard/signup.html',
  'dashboard/join.html',
  'dashboard/forgot.html',
  'dashboard/reset.html',
  'desk/index.html',
];
