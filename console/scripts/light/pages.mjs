/**
 * @typedef {object} LightPage
 * @property {string} path Of its HTML, below the folder of the pages.
 * @property {string} title
 * @property {string} module What it loads, below the workspace.
 * @property {string} [viewport] More for the viewport.
 * @property {readonly string[]} [head] More lines for the head.
 */

/**
 * The pages that people wait for on slow connections. They are built apart from the others, with at most 50 KB of script each
 * (docs/adr/0041-entries.md).
 * @type {readonly LightPage[]}
 */
export const LIGHT_PAGES = [
  { path: 'dashboard/login.html', title: 'Log in', module: 'src/dashboard/login/pages/log-in.tsx' },
  { path: 'dashboard/signup.html', title: 'Sign up', module: 'src/dashboard/login/pages/sign-up.tsx' },
  { path: 'dashboard/join.html', title: 'Join the team', module: 'src/dashboard/login/pages/join.tsx' },
  {
    path: 'dashboard/forgot.html',
    title: 'Forgot your password?',
    module: 'src/dashboard/login/pages/forgot.tsx',
  },
  {
    path: 'dashboard/reset.html',
    title: 'Choose a new password',
    module: 'src/dashboard/login/pages/reset.tsx',
  },
  {
    path: 'desk/index.html',
    title: 'Desk',
    module: 'src/desk/main.tsx',
    viewport: ', viewport-fit=cover',
    head: [
      '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />',
      '<link rel="manifest" href="/desk/manifest.webmanifest" />',
      '<link rel="apple-touch-icon" href="/desk/icon-maskable-512.png" />',
    ],
  },
];
