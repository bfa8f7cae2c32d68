// @module-tag if-touched @pages console/src/dashboard/time/ console/src/hours-check/ sdk/src/hours/: one panel of a page of the dashboard in detail
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import type { Person } from '../../../server/test/support/phone.js';
import { createSite, punchAt, type Site } from '../../../server/test/support/punches.js';
import { useRealProofs } from '../../../server/test/support/registered-proofs.js';
import { type Account, manualClock } from '../../../server/test/support/service.js';
import type { OpenDesk } from '../../../server/test/support/staff.js';
import { employ as employWithPhone, timeScene } from '../../../server/test/support/time-scene.js';
import { expectAccessible, expectAccessibleInEveryLook, expectClean, picture } from '../support/browser.js';
import { employ, giveRights, NOON, record } from '../support/hours.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

// biome-ignore lint/correctness/useHookAtTopLevel: it is none of React
useRealProofs();
let service: PagesService;
let account: Account;
let site: Site;
let desk: OpenDesk;
let ada: Person;
let grace: Person;
beforeAll(async () => {
  service = await pagesService({}, { clock: manualClock(NOON - 4 * 3_600_000) });
  ({ account, site, desk, ada } = await timeScene(service));
  await giveRights(service, account);
  grace = await employWithPhone(service, { account, site }, { fullName: 'Grace Hopper' });
  await work(ada, 3);
  await work(grace, 1);
  await record(service, account, { id: grace.userId, name: '' }, 'come', '2026-06-08T06:00');
});
afterAll(() => service.close());

async function work(person: Person, hours: number): Promise<void> {
  for (const type of ['check_in', 'check_out'] as const) {
    const reply = await punchAt(service, desk, person, { type });
    expect(reply.status, reply.text).toBe(201);
    service.clock.advance(type === 'check_in' ? hours * 3_600_000 : 0);
  }
}

const MONTH = '/live/time/month?month=2026-06';
const panel = (page: Page) => page.getByRole('region', { name: 'Check this month' });
const press = (page: Page, name = 'Check this month') =>
  panel(page).getByRole('button', { name, exact: true }).click();
const list = (page: Page, name: string) => panel(page).getByRole('list', { name });

const HOURS_FILE = /v1\/attendance\/sheets\?.*format=svc-hours/;

/** The file as it is, for a key. */
async function fileOf(of: Account, at: Site, month = '2026-06'): Promise<string> {
  const path = `/v1/attendance/sheets?siteId=${at.id}&month=${month}&format=svc-hours`;
  const { status, text } = await service.call('GET', path, { as: of.key });
  expect(status, text).toBe(200);
  return text;
}

describe('the check of a month in the browser [time/hours-file]', () => {
  it('holds for a month that nobody has altered, says what it checked and what it did not, and compares the next check with this one', async () => {
    const window = await openDashboard(service, account, MONTH);
    const { page } = window;
    await panel(page).getByText('The download is recorded').waitFor();
    await expectAccessibleInEveryLook(page, 'time-check-before');
    await press(page);
    await panel(page).getByText('This month holds.').waitFor();
    const checked = list(page, 'What was checked');
    await checked.getByText('2 people, 4:00 hours by their own events.').waitFor();
    await checked.getByText('4 proved by phone, 1 only recorded by a key or a member').waitFor();
    await checked.getByText('4 proofs of phones checked.').waitFor();
    await checked.getByText('The 5 entries about this month are numbered without a gap').waitFor();
    await checked.getByText('Each sheet is what the events say').waitFor();
    const not = list(page, 'What was not checked');
    await not.getByText('A phone that was lent with its PIN is not detected.').waitFor();
    await not.getByText('The month was not closed.').waitFor();
    await not.getByText('It is the first one on this page').waitFor();
    await panel(page).getByText('The service runs with development keys.').waitFor();
    await expectAccessibleInEveryLook(page, 'time-check-holds');
    await panel(page).scrollIntoViewIfNeeded();

    await press(page, 'Check again');
    await checked.getByText(/its history was not rewritten/).waitFor();
    expect(await not.getByText('It is the first one on this page').count()).toBe(0);
    expectClean(window);
    await window.close();
  });

  it('says that the history was rewritten if the audit log is another one than in the check before', async () => {
    const other = await service.signUp({ plan: 'enterprise' });
    const there = await createSite(service, other);
    const body = await fileOf(other, there);
    const window = await openDashboard(service, account, MONTH);
    const { page } = window;
    await page.route(HOURS_FILE, (route) => route.fulfill({ body }), { times: 1 });
    await press(page);
    await panel(page).getByText('There is nothing to check').waitFor();
    await press(page, 'Check again');
    await panel(page).getByRole('alert').getByText('its history was rewritten').waitFor();
    await expectAccessibleInEveryLook(page, 'time-check-rewritten');
    expectClean(window);
    await window.close();
  });

  it('is compared with a file that somebody kept, and with none that shows nothing about this account', async () => {
    const other = await service.signUp({ plan: 'enterprise' });
    const files = {
      kept: await fileOf(account, site, '2026-05'),
      other: await fileOf(other, await createSite(service, other)),
      none: '{"not": "such a file"}\n',
    };
    const window = await openDashboard(service, account, MONTH);
    const { page } = window;
    const choose = async (name: keyof typeof files) => {
      const chooser = page.waitForEvent('filechooser');
      await press(page, 'Compare with a file …');
      const file = {
        name: `${name}.jsonl`,
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from(files[name]),
      };
      await (await chooser).setFiles(file);
    };
    await choose('kept');
    await panel(page)
      .getByText(/entries of the file that you kept: its history was not rewritten/)
      .waitFor();
    await expectAccessibleInEveryLook(page, 'time-check-kept');
    await choose('other');
    await panel(page).getByText('is of another account or environment').waitFor();
    await choose('none');
    await panel(page).getByText('This is not the file of a month.').waitFor();
    await expectAccessible(page);
    expectClean(window);
    await window.close();
  });

  it('names whose event was moved, removed or invented in the database', async () => {
    const moved = await eventOf(ada, 'check_in');
    const removed = await eventOf(grace, 'check_out');
    await service.db.query(sql.mutation`update attendance set occurred_at = occurred_at - interval '1 hour'
      where tenant_id = ${account.tenantId} and id = ${moved}`);
    await service.db.query(
      sql.mutation`delete from attendance where tenant_id = ${account.tenantId} and id = ${removed}`,
    );
    const window = await openDashboard(service, account, MONTH);
    const { page } = window;
    await press(page);
    await panel(page)
      .getByRole('alert')
      .getByText(/This month does not hold: \d+ things are wrong/)
      .waitFor();
    const found = list(page, 'What is wrong').getByRole('listitem');
    await found
      .filter({ hasText: /Ada Lovelace, 10 Jun 2026/ })
      .getByText('This event says something else than when it was recorded.')
      .waitFor();
    await found.getByText('An event was recorded, and is gone.').waitFor();
    // Hours of events that can’t be trusted are not counted.
    await list(page, 'What holds apart from that').getByText('2 people, 0:00 hours').waitFor();
    await expectAccessibleInEveryLook(page, 'time-check-wrong');
    await found.getByRole('link', { name: 'Ada Lovelace' }).first().click();
    await page.getByRole('article', { name: 'Sheet' }).waitFor();
    expectClean(window);
    await window.close();
  });

  it('has nothing to check in a month of nobody', async () => {
    const window = await openDashboard(service, account, '/live/time/month?month=2025-02');
    const { page } = window;
    await press(page);
    await panel(page).getByText('There is nothing to check').waitFor();
    await expectAccessible(page);
    expectClean(window);
    await window.close();
  });
});

const eventOf = async ({ userId }: Person, type: string): Promise<string> => {
  const [row] = await service.db.query<{ id: string }>(sql`select id from attendance
    where tenant_id = ${account.tenantId} and user_id = ${userId} and type = ${type} and evidence = 'proved'`);
  return row?.id as string;
};

describe('a check that does not come to its end', () => {
  let long: Account;
  let there: Site;
  beforeAll(async () => {
    long = await service.signUp({ plan: 'enterprise' });
    there = await createSite(service, long);
    await giveRights(service, long);
    const bo = await employ(service, long, 'Bo Diddley', { siteId: there.id });
    for (let at = 0; at < 300; at += 1) {
      const time = new Date(Date.parse('2026-06-02T04:00:00Z') + at * 120_000).toISOString().slice(0, 16);
      await record(service, long, bo, at % 2 === 0 ? 'come' : 'go', time);
    }
  });

  /** Half of the file arrives, and the rest when the page calls `sendRest`. */
  const holdRest = `{
    const send = window.fetch;
    window.fetch = async (...request) => {
      const response = await send(...request);
      if (!response.url.includes('format=svc-hours')) return response;
      const bytes = new Uint8Array(await response.arrayBuffer());
      const half = Math.floor(bytes.length * 0.9);
      return new Response(new ReadableStream({
        start(controller) {
          controller.enqueue(bytes.slice(0, half));
          window.sendRest = () => { controller.enqueue(bytes.slice(half)); controller.close(); };
          window.cutRest = () => controller.error(new TypeError('network error'));
        },
      }), { headers: response.headers });
    };
  }`;

  it('shows how far it has come, and can be stopped', async () => {
    const window = await openDashboard(service, long, MONTH, {
      before: (page) => page.addInitScript(holdRest),
    });
    const { page } = window;
    await press(page);
    const bar = panel(page).getByRole('progressbar', { name: 'Entries of the audit log checked' });
    const arrived = /^2\d\d of 3\d\d entries checked, \d+ kB$/;
    await panel(page).getByText(arrived).waitFor();
    const [value, max] = [await bar.getAttribute('value'), await bar.getAttribute('max')].map(Number);
    expect(value).toBeGreaterThan(0);
    expect(max).toBeGreaterThan(value as number);
    await expectAccessibleInEveryLook(page, 'time-check-running');
    await press(page, 'Stop');
    await panel(page).getByText('The check was stopped.').waitFor();
    await press(page);
    await panel(page).getByText(arrived).waitFor();
    await page.evaluate('sendRest()');
    await panel(page).getByText('This month holds.').waitFor();
    expectClean(window);
    await window.close();
  });

  it('accuses nobody when the file ends too early or the connection is cut, and checks again', async () => {
    const window = await openDashboard(service, long, MONTH);
    const { page, context } = window;
    const text = await fileOf(long, there);
    const body = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
    await page.route(HOURS_FILE, (route) => route.fulfill({ body }), { times: 1 });
    await press(page);
    await panel(page).getByText('The check is incomplete.').waitFor();
    await expectAccessibleInEveryLook(page, 'time-check-incomplete');
    await page.evaluate(holdRest);
    await press(page, 'Try again');
    await panel(page)
      .getByText(/entries checked/)
      .waitFor();
    await page.evaluate('cutRest()');
    await panel(page).getByText('The check is incomplete.').waitFor();
    await context.setOffline(true);
    await press(page, 'Try again');
    await panel(page).getByText('The service did not respond.').waitFor();
    await picture(page, 'time-check-offline');
    await context.setOffline(false);
    await page.reload();
    await press(page);
    await panel(page).getByText('This month holds.').waitFor();
    expectClean(window, /ERR_INTERNET_DISCONNECTED/);
    await window.close();
  });

  it('judges a file that was altered on its way as such', async () => {
    const window = await openDashboard(service, long, MONTH);
    const { page } = window;
    const body = (await fileOf(long, there)).replace('Bo Diddley', 'Bo Didley');
    await page.route(HOURS_FILE, (route) => route.fulfill({ body }));
    await press(page);
    await panel(page)
      .getByRole('alert')
      .getByText('The file is not the one that the service signed.')
      .waitFor();
    await expectAccessibleInEveryLook(page, 'time-check-altered');
    expectClean(window);
    await window.close();
  });

  it('says that the history was rewritten if the audit log is shorter than in the check before', async () => {
    const body = await fileOf(long, there);
    const window = await openDashboard(service, long, MONTH);
    const { page } = window;
    await press(page);
    await panel(page).getByText('This month holds.').waitFor();
    const invalid = {
      status: 400,
      json: { error: 'invalid_request', message: 'Too large.', requestId: '1' },
    };
    await page.route(HOURS_FILE, (route) =>
      route.fulfill(route.request().url().includes('&from=') ? invalid : { body }),
    );
    await press(page, 'Check again');
    await panel(page).getByRole('alert').getByText('its history was rewritten').waitFor();
    expectClean(window, /status of 400/);
    await window.close();
  });

  it('continues when the member has logged in again, because their session had ended', async () => {
    const window = await openDashboard(service, long, MONTH);
    const { page, context } = window;
    await panel(page).waitFor();
    await context.clearCookies();
    await press(page);
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Password').fill(long.password);
    await again.getByRole('button', { name: 'Log in' }).click();
    await panel(page).getByText('This month holds.').waitFor();
    expectClean(window, /status of 401/);
    await window.close();
  });

  it('is for a representative too, and for nobody whose right ended', async () => {
    await giveRights(service, long, { hours: false, representative: true });
    const window = await openDashboard(service, long, MONTH);
    const { page } = window;
    await press(page);
    await panel(page).getByText('This month holds.').waitFor();
    await giveRights(service, long, { representative: false });
    await press(page, 'Check again');
    await page.getByText('Only members with the right').waitFor();
    expectClean(window, /status of 403/);
    await window.close();
  });
});
