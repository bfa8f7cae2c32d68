// The dashboard in headless Chromium, slowed down four times, with 1,500 and 100,000 people on PostgreSQL: from a click or the last
// key to the painted rows. Needs a build and Chromium (CHROMIUM_PATH, or an installed one). Without a browser it prints that
// nothing was measured. BENCH_PEOPLE=<n> for the larger list, BENCH_ROUNDS=<n> for the number of measurements.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import pg from 'pg';
import { findChromium } from '../../scripts/testing/chromium.mjs';
import { median, size, withService } from '../harness.mjs';
import { call } from '../servers.mjs';

// The console's dependency.
const { chromium } = createRequire(new URL('../../console/package.json', import.meta.url))('playwright-core');

const SLOWDOWN = 4;
const SIZES = [1_500, size('PEOPLE', 100_000)];
const ROUNDS = size('ROUNDS', 7);
const PROMISED_MS = 150;
const SCROLLED_FRAMES = 100;
/** Fast enough that a scrolled list does not seem to stop. */
const PROMISED_FRAME_MS = 50;
/** The pages wait this long for the next key before they search: TYPING_MS in filters.tsx and palette.tsx. */
const TYPING_MS = { list: 250, palette: 150 };

const executablePath = findChromium();
if (executablePath === undefined) {
  console.log('No Chromium: the pages were not measured.');
  process.exit(0);
}

/** Names of which one in a hundred begins with the same letters. */
async function addPeople(databaseUrl, tenantId, upTo) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into tenant_users (tenant_id, environment, id, full_name, external_id, email, created_at, updated_at)
     select $1::uuid, 'live', ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
       'Person' || n % 100 || ' Number' || n, 'nw-' || n, 'person' || n || '@example.com',
       now() - n * interval '1 minute', now()
     from generate_series(1 + (select count(*) from tenant_users where tenant_id = $1), $2::bigint) as n`,
    [tenantId, upTo],
  );
  await client.query('analyze tenant_users');
  await client.end();
}

/**
 * Runs in the page: acts, waits until the condition holds, and then until that frame is painted. Returns milliseconds.
 * @param {{ act: string, until: string }} measured two expressions
 */
const timeInPage = ({ act, until }) => `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const isDone = () => Boolean(${until});
  if (isDone()) throw new Error('done before it began');
  const started = performance.now();
  ${act};
  while (!isDone()) {
    if (performance.now() - started > 20_000) throw new Error('not done after 20 s');
    await frame();
  }
  await frame();
  await new Promise((resolve) => setTimeout(resolve));
  return performance.now() - started;
})()`;

/** Runs in the page: scrolls the list by a third of a screen in each frame. Returns the milliseconds from frame to frame. */
const scrollInPage = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const times = [];
  let last = await frame();
  for (let at = 0; at < ${SCROLLED_FRAMES}; at++) {
    scrollBy(0, innerHeight / 3);
    const now = await frame();
    times.push(now - last);
    last = now;
  }
  return times;
})()`;

const find = (selector, text) =>
  `[...document.querySelectorAll('${selector}')].find((at) => at.textContent.includes('${text}'))`;
/** Sets the value of a field as typing would, so that the page notices. */
const type = (selector, text) => `(() => {
    const field = document.querySelector('${selector}');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${text}');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  })()`;

const ROWS = 'table tbody tr:has(td)';
/** Each measurement: the address it begins at, what has to be there, and what is timed. `typingMs` is taken off. */
const MEASURED = [
  {
    what: 'open the list',
    from: '/dashboard/live/home',
    ready: 'a[href$="/live/people"]',
    act: `${find('nav a', 'People')}.click()`,
    until: `document.querySelectorAll('${ROWS}').length >= 50`,
  },
  {
    what: 'search the list',
    from: '/dashboard/live/people',
    ready: ROWS,
    act: type('search input', 'Person42'),
    until: `document.querySelector('${ROWS}')?.textContent.includes('Person42 ')`,
    typingMs: TYPING_MS.list,
  },
  {
    what: 'open a record',
    from: '/dashboard/live/people',
    ready: ROWS,
    act: `document.querySelectorAll('${ROWS} a')[4].click()`,
    until: `document.querySelector('#record h1')?.textContent.includes('Person')`,
  },
  {
    what: 'a frame while scrolling',
    from: '/dashboard/live/people',
    ready: ROWS,
    scrolls: true,
  },
  {
    what: 'find with Ctrl K',
    from: '/dashboard/live/home',
    ready: 'a[href$="/live/people"]',
    before: async (page) => {
      await page.keyboard.press('Control+k');
      await page.locator('[cmdk-input]').waitFor();
    },
    act: type('[cmdk-input]', 'Person42'),
    until: find('[cmdk-item]', 'Person42 '),
    typingMs: TYPING_MS.palette,
  },
];

async function logIn(page, baseUrl, { email, password }) {
  await page.goto(`${baseUrl}/dashboard/login`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL('**/home');
}

/** The median and the longest of several rounds, each from a fresh load of the first page. */
async function measure(page, baseUrl, { from, ready, before, scrolls, typingMs = 0, ...timed }) {
  const times = [];
  // The first round only warms the server and the browser's cache.
  for (let round = 0; round <= ROUNDS; round++) {
    await page.goto(baseUrl + from);
    await page.locator(ready).first().waitFor();
    // The code of the other pages is loaded when the browser is idle.
    await page.waitForTimeout(1_500);
    await before?.(page);
    const taken = scrolls
      ? await page.evaluate(scrollInPage)
      : [(await page.evaluate(timeInPage(timed))) - typingMs];
    if (round > 0) times.push(...taken);
  }
  return { middle: median(times), longest: Math.max(...times) };
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  await withService(async (address, _pid, databaseUrl) => {
    // A session's cookie is stored for localhost only.
    const baseUrl = address.replace('127.0.0.1', 'localhost');
    const account = { email: `bench-${randomUUID()}@example.com`, password: `bench ${randomUUID()}` };
    const { tenant } = await call(
      baseUrl,
      'POST',
      '/api/console/signup',
      {},
      { ...account, companyName: 'Bench' },
    );
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await logIn(page, baseUrl, account);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const rows = [];
    for (const people of SIZES) {
      await addPeople(databaseUrl, tenant.id, people);
      for (const one of MEASURED) {
        const { middle, longest } = await measure(page, baseUrl, one);
        const promised = one.scrolls ? PROMISED_FRAME_MS : PROMISED_MS;
        const figures = { median: Math.round(middle), longest: Math.round(longest), promised };
        rows.push({ people, what: `${one.what}, ms`, ...figures });
      }
    }
    console.log(`${browser.version()}, processor slowed down ${SLOWDOWN} times, ${ROUNDS} rounds each`);
    console.log(
      `Without the waits for the next key: ${TYPING_MS.list} ms in a list, ${TYPING_MS.palette} ms with Ctrl K`,
    );
    console.table(rows);
  });
} finally {
  await browser.close();
}
