// Lighthouse's performance score of the pages as on a slow phone, with 20,000 people and 50,000 verifications on PostgreSQL: a page of
// the documentation as the yardstick, then the landing page, log-in and every page of the dashboard. The median of BENCH_ROUNDS (3).
// Lighthouse is not a dependency, because it brings 150 packages: `npm install --no-save lighthouse@12` first. Needs a build and
// Chromium (CHROMIUM_PATH, or an installed one). BENCH_ONLY=<part of a path>.
import { findChromium } from '../../scripts/testing/chromium.mjs';
import { median, size, withService } from '../harness.mjs';
import { signUp } from '../servers.mjs';
import { fillCompany } from './company.mjs';

const ROUNDS = size('ROUNDS', 3);
const ONLY = process.env.BENCH_ONLY ?? '';
const YARDSTICK = '/docs/quickstart';
const PROMISED = 90;
const PATHS = [
  '/',
  '/dashboard/login',
  '/desk/',
  ...['home', 'people', 'people/registrations', 'sign-in/applications', 'sign-in/devices'].map(inLive),
  ...['activity', 'activity/verifications', 'activity/pairings', 'activity/attendance'].map(inLive),
  ...['activity/approvals', 'developers/requests', 'developers/webhooks', 'developers/playground'].map(
    inLive,
  ),
  ...['developers/start', 'trust/audit', 'trust/receipts', 'trust/exports'].map(inLive),
  ...['sign-in/policy', 'developers/keys', 'settings/company', 'settings/team'].map(inDashboard),
  ...['settings/security', 'settings/usage'].map(inDashboard),
].filter((path) => path.includes(ONLY));

function inLive(path) {
  return `/dashboard/live/${path}`;
}

function inDashboard(path) {
  return `/dashboard/${path}`;
}

const chromePath = findChromium();
const { default: lighthouse } = await import('lighthouse').catch(() => ({}));
if (chromePath === undefined || lighthouse === undefined) {
  console.log('No Chromium, or no Lighthouse: the pages were not measured.');
  process.exit(0);
}
const { launch } = await import('chrome-launcher');

async function measure(url, cookie) {
  const chrome = await launch({ chromePath, chromeFlags: ['--headless', '--no-sandbox', '--disable-gpu'] });
  try {
    const { lhr } = await lighthouse(url, {
      port: chrome.port,
      onlyCategories: ['performance'],
      extraHeaders: { cookie },
      logLevel: 'error',
    });
    const value = (id) => lhr.audits[id].numericValue;
    return {
      score: lhr.categories.performance.score * 100,
      firstPaint: value('first-contentful-paint'),
      largestPaint: value('largest-contentful-paint'),
      blocked: value('total-blocking-time'),
      moved: value('cumulative-layout-shift'),
    };
  } finally {
    await chrome.kill();
  }
}

async function logIn(baseUrl, login) {
  const reply = await fetch(`${baseUrl}/api/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl },
    body: JSON.stringify(login),
  });
  if (!reply.ok) throw new Error(`Logging in returned ${reply.status}: ${await reply.text()}`);
  return reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

const rows = await withService(async (baseUrl, _pid, databaseUrl) => {
  const { tenant, login } = await signUp(baseUrl);
  await fillCompany(databaseUrl, tenant.id, { people: 20_000, verifications: 50_000 });
  const cookie = await logIn(baseUrl, login);
  const measured = [];
  for (const path of [YARDSTICK, ...PATHS]) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(baseUrl + path, cookie));
    const of = (name) => median(rounds.map((round) => round[name]));
    measured.push({
      page: path,
      score: Math.round(of('score')),
      'first paint ms': Math.round(of('firstPaint')),
      'largest paint ms': Math.round(of('largestPaint')),
      'blocked ms': Math.round(of('blocked')),
      moved: of('moved').toFixed(3),
    });
    console.log(measured.at(-1));
  }
  return measured;
});
console.log(
  `Lighthouse on a slow phone, the median of ${ROUNDS}; promised: ${PROMISED} where the documentation has 100`,
);
console.table(rows);
process.exit(0);
