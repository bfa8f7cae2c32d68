// @module-tag if-touched @pages console/src/dashboard/webhooks/ console/src/dashboard/events/: rare cases of what the quick suite does once
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import type { Account } from '../../../server/test/support/service.js';
import { deliver, type Hook, LOOPBACK, pauseAll, startHook } from '../../../server/test/support/webhooks.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { HOSTILE_NAMES } from '../support/records.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard, whileFailing } from '../support/signed-in.js';

let service: PagesService;
let hook: Hook;
beforeAll(async () => {
  service = await pagesService(LOOPBACK);
});
beforeEach(async () => {
  hook = await startHook();
  const { stop } = hook;
  let isStopped = false;
  hook.stop = async () => {
    if (!isStopped) await stop();
    isStopped = true;
  };
  return () => hook.stop();
});
afterAll(async () => {
  await pauseAll(service);
  await service.close();
});

async function createWebhook(account: Account, body: object = {}): Promise<{ readonly id: string }> {
  const reply = await service.call('POST', '/v1/webhooks', {
    session: account.token,
    body: { url: hook.url, events: ['device.*'], ...body },
  });
  if (reply.status !== 201) throw new Error(`creating returned ${reply.status} ${reply.text}`);
  return reply.body.webhook;
}

const createDevice = (account: Account, name: string) =>
  service.call('POST', '/v1/devices', { as: account.key, body: { name } });

const disable = (id: string, reason: string) =>
  service.db.query(
    sql`update webhooks set status = 'disabled', disabled_reason = ${reason} where id = ${id}`,
  );

/** Sends what is due until the receiver has so many events. */
async function deliverUntil(count: number): Promise<void> {
  await expect.poll(() => deliver(service).then(() => hook.received.length)).toBe(count);
}

const lastSent = (count: number) =>
  hook.received.slice(-count).map(({ headers, body }) => [body.data.seq, headers['svc-replay']]);

describe('the list of webhooks', () => {
  it('shows what each one sends, whether it works and how far it is behind, with hostile texts as text', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const paused = await createWebhook(account, {
      url: `https://example.com/${encodeURIComponent(HOSTILE_NAMES[0])}?${'x'.repeat(1_500)}`,
      description: HOSTILE_NAMES[2],
      events: ['user.*', 'device.*', 'identity.revoked', 'identity.register'],
    });
    const body = { status: 'paused' };
    await service.call('PATCH', `/v1/webhooks/${paused.id}`, { session: account.token, body });
    const works = await createWebhook(account, { description: HOSTILE_NAMES[1] });
    const gone = await createWebhook(account, { url: 'https://ex\u0430mple.com/', events: ['*'] });
    await disable(gone.id, 'gone');
    await createDevice(account, 'Door');
    await deliverUntil(1);
    const window = await openDashboard(service, account, '/live/developers/webhooks');
    const { page } = window;
    const rows = page.getByRole('table', { name: 'Webhooks' }).locator('tbody tr:has(td)');
    await rows.nth(2).waitFor();
    expect(await rows.nth(0).textContent()).toMatch(/^xn--exmple-4nf\.com.*All events.*responded with 410/);
    expect(await rows.nth(1).textContent()).toContain('Active');
    expect(await rows.nth(1).textContent()).toContain(HOSTILE_NAMES[1]);
    expect(await rows.nth(2).textContent()).toMatch(/and 1 more.*Paused.*events behind/);
    expect(await page.title()).toBe('Events and webhooks');
    await expectAccessibleInEveryLook(page, 'webhooks');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Find a person, device or page').fill('webh');
    await page.getByRole('option', { name: 'Webhooks' }).click();
    await rows.nth(1).getByRole('link').click();
    await page.waitForURL(`**/live/developers/webhooks/${works.id}`);
    expectClean(window);
    await window.close();
  });

  it('explains what to do at the limit of the plan, and shows errors', async () => {
    const account = await service.signUp({ plan: 'free' });
    await createWebhook(account);
    const window = await openDashboard(service, account, '/live/developers/webhooks');
    const { page } = window;
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill('https://example.com/');
    await page.getByRole('button', { name: 'Add the webhook' }).click();
    await page.getByText('as many webhooks as your plan allows').waitFor();
    await expectAccessibleInEveryLook(page, 'webhooks-limit');
    await whileFailing(page, /\/v1\/webhooks/, async (how) => {
      await page.getByRole('alert').waitFor();
      await expectAccessibleInEveryLook(page, `webhooks-${how}`);
    });
    expectClean(window, /status of (409|429|503)/);
    await window.close();
  });
});

describe('the page of a webhook', () => {
  it('lists deliveries as they happen, and sends events again one by one or as a range', async () => {
    const account = await service.signUp();
    const { id } = await createWebhook(account);
    await createDevice(account, 'One');
    await createDevice(account, 'Two');
    await deliverUntil(2);
    const seqs = hook.seqs();
    const window = await openDashboard(service, account, `/live/developers/webhooks/${id}`);
    const { page } = window;
    const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr:has(td)');
    await rows.nth(1).waitFor();
    const link = rows.first().getByRole('link', { name: 'device.created' });
    expect(await link.getAttribute('href')).toBe(`/dashboard/live/trust/audit/${seqs[1]}`);
    await rows.first().getByRole('button', { name: /again/ }).click();
    await page.getByText(`Event ${seqs[1]} is sent again`).first().waitFor();
    await deliverUntil(3);
    await rows.filter({ hasText: 'sent again' }).first().waitFor();
    expect(lastSent(1)).toEqual([[seqs[1], 'true']]);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Send events again' }).click();
    await page.getByLabel('From event').fill('999999');
    await page.getByRole('button', { name: 'Send again', exact: true }).last().click();
    await page.getByText('From event is later than the last event that was sent.').waitFor();
    await expectAccessibleInEveryLook(page, 'webhook-send-again');
    await page.getByLabel('From event').fill('1');
    await page.getByRole('button', { name: 'Send again', exact: true }).last().click();
    await page
      .getByText(/^Events 1 to \d+ are sent again/)
      .first()
      .waitFor();
    await deliverUntil(5);
    await rows.nth(4).waitFor();
    expect(lastSent(2)).toEqual(seqs.map((seq) => [seq, 'true']));
    await expectAccessibleInEveryLook(page, 'webhook');
    await page.getByLabel('Status').selectOption({ label: 'Given up' });
    await page.getByRole('heading', { name: 'No results' }).waitFor();
    expectClean(window, /status of 400/);
    await window.close();
  });

  it('says in words why a test event failed and what to do, and that a delivery is retried', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    const { id } = await createWebhook(account);
    hook.answer = () => 500;
    await createDevice(account, 'Door');
    await deliverUntil(1);
    const window = await openDashboard(service, account, `/live/developers/webhooks/${id}`);
    const { page } = window;
    const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr:has(td)');
    await rows.filter({ hasText: 'Will be retried' }).waitFor();
    const test = page.getByRole('button', { name: 'Send a test event' });
    await test.click();
    await page.getByText(/responded with 500 in \d+ ms/).waitFor();
    await page.getByText('Look for an error in the receiver’s log.').waitFor();
    await expectAccessibleInEveryLook(page, 'webhook-failed');
    await hook.stop();
    await test.click();
    await page.getByText(/^No connection: 127\.0\.0\.1:\d+$/).waitFor();
    await rows.filter({ hasText: 'No connection' }).waitFor();
    expectClean(window);
    await window.close();
  });

  it('is turned off by a 410, and continues with that event when it is turned on', async () => {
    const account = await service.signUp();
    const { id } = await createWebhook(account);
    hook.answer = () => 410;
    await createDevice(account, 'Door');
    await deliverUntil(1);
    const window = await openDashboard(service, account, '/live/home');
    const { page } = window;
    await page.getByText(/^Deliveries to 127\.0\.0\.1:\d+ are turned off\.$/).waitFor();
    await expectAccessibleInEveryLook(page, 'webhook-overview');
    await page.getByRole('link', { name: 'Show the webhook' }).click();
    await page.waitForURL(`**/live/developers/webhooks/${id}`);
    await page.getByText('Deliveries are turned off.').waitFor();
    await expectAccessibleInEveryLook(page, 'webhook-gone');
    hook.answer = () => 200;
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Deliveries are on').first().waitFor();
    await page.getByText('Deliveries are turned off.').waitFor({ state: 'detached' });
    await deliverUntil(2);
    expect(new Set(hook.seqs()).size).toBe(1);
    await disable(id, 'failing');
    await page.getByText('An event could not be delivered in ten attempts.').waitFor();
    await disable(id, 'chain_diverged');
    await page.getByText('The database was restored to another state').waitFor();
    await page.getByRole('button', { name: 'Turn on from now' }).click();
    await page.getByText('The database was restored').waitFor({ state: 'detached' });
    expectClean(window);
    await window.close();
  });

  it('is paused and resumed, edited, gets a new secret, and is deleted after confirmation', async () => {
    const account = await service.signUp();
    const { body: made } = await service.call('POST', '/v1/webhooks', {
      as: await service.createKey(account, 'live', ['events:read', 'webhooks:write']),
      body: { url: hook.url, events: ['*'] },
    });
    const { keys } = (await service.call('GET', '/api/console/keys', { as: account.token })).body;
    const { webhooks } = (await service.call('GET', '/v1/webhooks', { session: account.token })).body;
    const { name } = keys.find((key: { id: string }) => key.id === webhooks[0].keyId);
    await service.call('DELETE', `/api/console/keys/${webhooks[0].keyId}`, { as: account.token });
    const window = await openDashboard(service, account, `/live/developers/webhooks/${made.webhook.id}`);
    const { page } = window;
    await page.getByText(`Created with the key ${name}, which was revoked on`).waitFor();
    const more = async (action: string) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await more('Pause');
    await page.getByText('Deliveries are paused.').waitFor();
    await createDevice(account, 'Door');
    await deliver(service);
    expect(hook.received).toEqual([]);
    await page.getByText(/events? behind/).waitFor();
    await expectAccessibleInEveryLook(page, 'webhook-paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Deliveries are paused.').waitFor({ state: 'detached' });
    await expect.poll(() => deliver(service).then(() => hook.types())).toContain('device.created');

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Strictly in order').check();
    await page.getByRole('radio', { name: 'Chosen events' }).check();
    await page.getByRole('checkbox', { name: 'Devices' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Strictly in order').waitFor();
    await page.getByText('device.*', { exact: true }).waitFor();

    await more('Rotate the secret');
    await page.getByLabel('Keep the old secret for').selectOption({ label: '7 days' });
    await expectAccessibleInEveryLook(page, 'webhook-rotate');
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    const secret = await page.getByText(/^whsec_/).textContent();
    expect(secret).not.toBe(made.secret);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    hook.received.length = 0;
    await createDevice(account, 'Gate');
    await deliverUntil(1);
    expect(String(hook.received[0]?.headers['webhook-signature']).match(/v1,/g)).toHaveLength(2);

    await more('Delete');
    await expectAccessibleInEveryLook(page, 'webhook-delete');
    await page.getByRole('button', { name: 'Delete the webhook' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await page.goBack();
    await page.getByText('This live webhook does not exist.').waitFor();
    expectClean(window, /status of 404/);
    await window.close();
  });
});

describe('live events', () => {
  it('begin with the newest, follow new ones, filter by type, and miss none while paused', async () => {
    const account = await service.signUp({ plan: 'enterprise' });
    await createDevice(account, 'First');
    const window = await openDashboard(service, account, '/live/developers/webhooks?view=events');
    const { page } = window;
    const rows = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
    await page.getByText('Live: new events appear here.').waitFor();
    const before = await rows.count();
    // The newest is the login.
    expect(await rows.nth(1).textContent()).toContain('First live key registered First');
    await createDevice(account, 'Second');
    await expect.poll(() => rows.count()).toBe(before + 1);
    // A stream has no names. They are read after its events.
    await rows.first().getByText('First live key registered Second').waitFor();
    await rows
      .first()
      .getByRole('button', { name: /^Event/ })
      .click();
    await page.getByText('"prevHash"').waitFor();
    await expectAccessibleInEveryLook(page, 'events');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused.').waitFor();
    await createDevice(account, 'Third');
    await page.getByRole('button', { name: 'Follow live' }).click();
    await expect.poll(() => rows.count()).toBe(before + 2);
    await page.getByLabel('Type').selectOption('user.*');
    await page.getByRole('heading', { name: 'None of the newest events is of this type' }).waitFor();
    await service.call('POST', '/v1/users', { as: account.key, body: { fullName: 'Ada' } });
    await rows.filter({ hasText: 'user.created' }).waitFor();
    expect(await rows.count()).toBe(1);
    await page.getByLabel('Type').selectOption('device.created');
    await expect.poll(() => rows.count()).toBe(3);
    const names = async () =>
      (await rows.allTextContents()).map(
        (text) => /First|Second|Third/.exec(text.replace('First live key', ''))?.[0],
      );
    await expect.poll(names).toEqual(['Third', 'Second', 'First']);
    await rows
      .first()
      .getByRole('button', { name: /^Event/ })
      .click();
    await page.getByRole('link', { name: /^Entry \d+ of the audit log/ }).click();
    await page.waitForURL('**/live/trust/audit/*');
    expectClean(window);
    await window.close();
  });

  it('are one row while they say the same, which opens to show each', async () => {
    const account = await service.signUp();
    for (let at = 0; at < 3; at++)
      await service.call('POST', '/v1/proof-pairing/sessions', { as: account.key, body: {} });
    const window = await openDashboard(service, account, '/live/webhooks?view=events');
    const { page } = window;
    const rows = page.getByRole('list', { name: 'Events', exact: true }).getByRole('listitem');
    await rows.filter({ hasText: '3 × First live key opened a pairing' }).waitFor();
    await page.getByRole('button', { name: '3 events' }).click();
    await expect
      .poll(() => page.getByRole('list', { name: '3 events' }).getByRole('listitem').count())
      .toBe(3);
    await expectAccessibleInEveryLook(page, 'events-grouped');
    expectClean(window);
    await window.close();
  });

  it('say what to do if the service does not open the stream', async () => {
    const account = await service.signUp();
    const window = await openDashboard(service, account, '/live/home');
    const { page } = window;
    await page.route('**/v1/events/stream*', (route) => route.fulfill({ status: 429, body: '' }));
    await page.goto('/dashboard/live/developers/webhooks?view=events');
    await page.getByText('The service did not open the stream.').waitFor();
    await expectAccessibleInEveryLook(page, 'events-ended');
    await page.unroute('**/v1/events/stream*');
    await page.getByRole('button', { name: 'Connect again' }).click();
    await page.getByText('Live: new events appear here.').waitFor();
    expectClean(window, /status of 429/);
    await window.close();
  });
});
