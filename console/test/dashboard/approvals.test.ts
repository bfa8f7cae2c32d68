// @module-tag if-touched @pages console/src/dashboard/approvals/ console/src/dashboard/nouns/receipt/: one page of the dashboard in detail
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACTION, type Choice, decide, openApproval } from '../../../server/test/support/approvals.js';
import { type Person, registerPerson } from '../../../server/test/support/phone.js';
import { useRealProofs } from '../../../server/test/support/registered-proofs.js';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { openAs } from '../support/members.js';
import { type PagesService, pagesService } from '../support/service.js';
import { numberOn, openDashboard, whileFailing } from '../support/signed-in.js';

// biome-ignore lint/correctness/useHookAtTopLevel: not a hook of React
useRealProofs();

let service: PagesService;
let account: Account;
/** Of the test environment. */
let key: string;
let ada: Person;
let grace: Person;
beforeAll(async () => {
  service = await pagesService();
});
beforeEach(async () => {
  account = await service.signUp({ plan: 'enterprise' });
  key = await service.createKey(account, 'test', [
    'zkp:register',
    'users:write',
    'approvals:read',
    'approvals:write',
  ]);
  ada = await person('Ada Lovelace', 'ada');
  grace = await person('Grace Hopper', 'grace');
});
afterAll(() => service.close());

const LIST = '/test/activity/approvals';
const HOSTILE = '<img src=x onerror="document.title=1">';

async function person(fullName: string, externalId: string): Promise<Person> {
  const body = { fullName, externalId };
  expect((await service.call('POST', '/v1/users', { as: key, body })).status).toBe(201);
  return registerPerson(service, key, { externalId });
}

/** Somebody decides on their phone. */
async function decideBy(phone: Person, id: string, choice: Choice = {}): Promise<void> {
  const { approval } = (await service.call('GET', `/v1/approvals/${id}`, { as: key })).body;
  const bound = { environment: 'test' };
  const reply = await decide(service, phone, account, approval, { ...choice, bound });
  expect(reply.status, reply.text).toBe(200);
}

const stateOf = (page: Page) => page.getByRole('status').filter({ hasText: /^Approval/ });
const approver = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Approvers' }).getByRole('listitem').filter({ hasText: name });

const sentences = (page: Page, title: string) =>
  page.getByRole('list', { name: title, exact: true }).getByRole('listitem');

/** Chooses a file to be checked. */
const chooseFile = (page: Page, name: string, text: string) =>
  page
    .getByLabel('File of a receipt')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });

/** Drops a file on the part of the page that has the receipt. */
async function dropFile(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    return data;
  })()`);
  const target = page.getByText('To check a file, choose it or drop it here.');
  for (const event of ['dragover', 'drop']) await target.dispatchEvent(event, { dataTransfer });
}

async function pick(page: Page, typed: string, name: string): Promise<void> {
  const picker = page.getByRole('combobox', { name: 'Find a person' });
  await picker.fill(typed);
  await page.getByRole('option', { name }).click();
  await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
}

describe('the dashboard’s approvals', () => {
  it('asks people in the test environment, and shows their decisions as they arrive', async () => {
    const window = await openDashboard(service, account, LIST);
    const { page } = window;
    await page.getByRole('heading', { name: 'No approvals yet' }).waitFor();
    await expectAccessibleInEveryLook(page, 'approvals-empty');
    await page.getByRole('button', { name: 'Request an approval' }).first().click();
    const form = page.getByRole('dialog', { name: 'Request an approval' });
    await form.getByLabel('Title').fill('Pay an\u200Binvoice');
    await form.getByLabel('Label 1').fill('To');
    await form.getByLabel('Value 1').fill(HOSTILE);
    await form.getByRole('button', { name: 'Add another field' }).click();
    await form.getByRole('button', { name: 'Add another field' }).click();
    await form.getByLabel('Label 3').fill('Amount');
    await form.getByLabel('Value 3').fill('€1,200.50 \u202E');
    await form.getByRole('button', { name: 'Send the request' }).click();
    await form.getByText('Choose at least one person.').waitFor();
    await pick(page, 'ada', 'Ada Lovelace');
    await pick(page, '', 'Grace Hopper');
    await form.getByLabel('Ask for a number').check();
    await form.getByText('More', { exact: true }).click();
    await form.getByLabel('Note').fill('Second reminder.\nDue today.');
    await form.getByLabel('Reference').fill('invoice-1815');
    await expectAccessibleInEveryLook(page, 'approval-new');
    await form.getByRole('button', { name: 'Send the request' }).click();
    // The service names the field, and the empty row between the two is gone.
    await form
      .getByRole('alert')
      .filter({ hasText: /^Title / })
      .waitFor();
    await expectAccessibleInEveryLook(page, 'approval-refused');
    await form.getByLabel('Title').fill('Pay an invoice');
    await form.getByRole('button', { name: 'Send the request' }).click();
    await form
      .getByRole('alert')
      .filter({ hasText: /^Value 2 / })
      .waitFor();
    await form.getByLabel('Value 2').fill('€1,200.50');
    await form.getByRole('button', { name: 'Send the request' }).click();

    await page.getByRole('heading', { level: 1, name: 'Pay an invoice' }).waitFor();
    const id = page.url().split('/').at(-1) as string;
    const number = await numberOn(page);
    expect(number).toMatch(/^\d{2}$/);
    // The number survives a reload, and is in no other window.
    await page.reload();
    expect(await numberOn(page)).toBe(number);
    const link = page.getByRole('link', { name: 'Open in this browser' });
    expect(await link.getAttribute('href')).toBe(`/phone/#approval=${id}`);
    await page.getByRole('cell', { name: HOSTILE }).waitFor();
    await page.getByText('Second reminder.').waitFor();
    await stateOf(page).getByText('Waiting').waitFor();
    expect(await page.getByRole('link', { name: 'Download receipt' }).count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'approval-waiting');

    await decideBy(ada, id, { matchCode: number });
    await approver(page, 'Ada Lovelace').getByText('Approved').waitFor();
    await page.getByText('Both have to approve, 1 so far').waitFor();
    await approver(page, 'Grace Hopper').getByText('Not decided yet').waitFor();
    await decideBy(grace, id, { matchCode: number });
    await stateOf(page).getByText('Approved').waitFor();
    expect(await page.getByRole('img', { name: 'Code for the approver’s phone' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Cancel the request' }).count()).toBe(0);
    await page.getByText('Enough people approved').first().waitFor();
    await expectAccessibleInEveryLook(page, 'approval-approved');
    expectClean(window, /status of 400/);
    await window.close();
  });

  it('lists approvals by their state, person and reference, and shows what is new', async () => {
    const window = await openDashboard(service, account, LIST);
    const { page } = window;
    const first = await openApproval(service, key, [ada.userId, grace.userId], {
      required: 1,
      action: { ...ACTION, title: HOSTILE, reference: 'invoice-1' },
    });
    const rows = page.getByRole('table', { name: 'Approvals' }).locator('tbody tr:has(td)');
    await rows.filter({ hasText: HOSTILE }).getByText('Ada Lovelace, Grace Hopper').waitFor();
    const second = await openApproval(service, key, [grace.userId]);
    await rows.filter({ hasText: ACTION.title }).getByText('Waiting').waitFor();
    await decideBy(grace, second.id, { decision: 'decline', reason: 'not_me' });
    await rows.filter({ hasText: ACTION.title }).getByText('Declined').waitFor();
    await expectAccessibleInEveryLook(page, 'approvals');

    await page.getByLabel('State').selectOption('Declined');
    await rows.filter({ hasText: HOSTILE }).waitFor({ state: 'detached' });
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByLabel('State').selectOption('All');
    await page.getByLabel('Reference').fill('invoice-1');
    await page.getByLabel('Reference').press('Enter');
    await rows.filter({ hasText: ACTION.title }).waitFor({ state: 'detached' });
    await expect.poll(() => rows.count()).toBe(1);
    await page.goto(`/dashboard${LIST}?userId=${ada.userId}&sort=oldest`);
    await page.getByRole('button', { name: 'Remove the filter Person' }).waitFor();
    await rows.filter({ hasText: HOSTILE }).waitFor();
    expect(await rows.count()).toBe(1);
    await page.goto(`/dashboard/test/people/${ada.userId}`);
    await page.locator('#record').getByRole('button', { name: 'Approvals' }).click();
    // The timeline names it too.
    const approvals = page.locator('#record').getByRole('list', { name: 'Approvals' });
    await approvals.getByRole('link', { name: HOSTILE }).click();
    await page.waitForURL(`**${LIST}/${first.id}`);
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor();
    await page.goto(`/dashboard${LIST}/${second.id}`);
    await approver(page, 'Grace Hopper').getByText('Knows nothing of it').waitFor();
    await page.getByRole('alert').waitFor();
    await expectAccessibleInEveryLook(page, 'approval-declined');
    await whileFailing(page, /\/v1\/approvals/, async (how) => {
      await page.getByRole('alert').waitFor();
      await expectAccessibleInEveryLook(page, `approval-${how}`);
    });
    expectClean(window, /status of (429|503)/);
    await window.close();
  });

  it('cancels a request that waits, also if somebody has decided in between', async () => {
    const window = await openDashboard(service, account, LIST);
    const { page } = window;
    const open = async () => {
      const { id } = await openApproval(service, key, [ada.userId]);
      await page.goto(`/dashboard${LIST}/${id}`);
      await page.getByRole('button', { name: 'Cancel the request' }).click();
      return { id, dialog: page.getByRole('dialog', { name: 'Cancel the request “Pay an invoice”?' }) };
    };
    const first = await open();
    await first.dialog.getByRole('button', { name: 'Cancel the request' }).click();
    await stateOf(page).getByText('Cancelled').waitFor();
    await approver(page, 'Ada Lovelace').getByText('Did not decide').waitFor();
    const second = await open();
    await decideBy(ada, second.id);
    await second.dialog.getByRole('button', { name: 'Cancel the request' }).click();
    await second.dialog.getByRole('alert').getByText('already ended').waitFor();
    await second.dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await stateOf(page).getByText('Approved').waitFor();
    expectClean(window, /status of 409/);
    await window.close();
  });

  it('gives the receipt of an approval that ended, and checks it or a file in the page', async () => {
    const { id } = await openApproval(service, key, [ada.userId, grace.userId]);
    const other = await openApproval(service, key, [ada.userId]);
    for (const phone of [ada, grace]) await decideBy(phone, id);
    await decideBy(ada, other.id, { decision: 'decline', reason: 'mistake' });
    const window = await openAs(service, account, 'auditor', `${LIST}/${id}`);
    const { page } = window;
    await page.getByRole('link', { name: 'Download receipt' }).waitFor();
    const scripts: string[] = [];
    page.on('request', (request) => void scripts.push(request.url()));
    const downloads = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download receipt' }).click();
    const download = await downloads;
    expect(download.suggestedFilename()).toBe(`receipt-${id}.json`);
    const file = await readFile(await download.path(), 'utf8');
    expect(scripts.filter((url) => url.includes('/assets/'))).toEqual([]);

    await page.getByRole('button', { name: 'Check this receipt' }).click();
    await page.getByText('The receipt passed the check.').waitFor();
    expect(scripts.filter((url) => url.includes('/assets/'))).not.toEqual([]);
    // The tests’ keys are development keys.
    await page.getByText('It could still be forged').waitFor();
    for (const name of ['Ada Lovelace', 'Grace Hopper'])
      await sentences(page, 'Checked')
        .filter({ hasText: `${name} approved this statement` })
        .waitFor();
    // The digest comes last, and times are in the reader's words.
    await sentences(page, 'Checked').last().getByText('The statement has the digest').waitFor();
    expect((await sentences(page, 'Checked').allTextContents()).join()).not.toMatch(/\d{4}-\d\d-\d\dT/);
    await sentences(page, 'Not checked').getByText('That the identity was still in force.').waitFor();
    await sentences(page, 'What it rests on').getByText('the operator’s word').waitFor();
    await expectAccessibleInEveryLook(page, 'approval-receipt-passed');

    await chooseFile(page, 'kept.json', file);
    await page.getByText('kept.json passed the check.').waitFor();
    await dropFile(page, 'altered.json', file.replace('1,200.50', '1,200.51'));
    await page.getByRole('alert').getByText('altered.json failed the check.').waitFor();
    await page.getByRole('alert').getByText('is of another text, decision or time').waitFor();
    await page.getByRole('link', { name: 'binding_wrong' }).waitFor();
    expect(await page.getByText('passed the check').count()).toBe(0);
    await expectAccessibleInEveryLook(page, 'approval-receipt-failed');
    await chooseFile(page, 'photo.json', 'not a receipt');
    await page.getByRole('link', { name: 'malformed' }).waitFor();
    await page.goto(`/dashboard${LIST}/${other.id}`);
    await chooseFile(page, 'kept.json', file);
    await page.getByText('But it is the receipt of another approval.').waitFor();

    await page.route(/receipt\?/, (route) => route.fulfill({ status: 503, json: {} }));
    await page.getByRole('button', { name: 'Check this receipt' }).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.unroute(/receipt\?/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The receipt passed the check.').waitFor();
    await sentences(page, 'Checked').getByText('declined this statement with the reason mistake').waitFor();
    expectClean(window, /status of 503/);
    await window.close();
  });

  it('checks a receipt that somebody kept, without opening its approval', async () => {
    const { id } = await openApproval(service, key, [ada.userId]);
    await decideBy(ada, id);
    const receipt = await service.call('GET', `/v1/approvals/${id}/receipt`, { as: key });
    const window = await openAs(service, account, 'auditor', '/test/trust/receipts');
    const { page } = window;
    await page.getByRole('heading', { name: 'Receipts', level: 1 }).waitFor();
    await expectAccessibleInEveryLook(page, 'receipts');
    const choose = (text: string) =>
      page
        .getByLabel('Choose a receipt')
        .setInputFiles({ name: 'kept.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await choose(receipt.text);
    await page.getByText('kept.json passed the check.').waitFor();
    await sentences(page, 'Checked').filter({ hasText: 'Ada Lovelace approved this statement' }).waitFor();
    await expectAccessibleInEveryLook(page, 'receipts-passed');
    await choose(receipt.text.replace('1,200.50', '1,200.51'));
    await page.getByRole('alert').getByText('kept.json failed the check.').waitFor();
    await choose('[]');
    await page.getByRole('alert').getByText('This file is no receipt.').waitFor();
    await choose(receipt.text.replace(id, '01a21da2-58ae-7365-a987-88a891bd845d'));
    await page.getByText('This account has no such approval in test.').waitFor();
    expectClean(window, /status of 404/);
    await window.close();
  });

  it('is only read by auditors, and asks only in the test environment', async () => {
    const { id } = await openApproval(service, key, [ada.userId], { match: 'type' });
    const auditor = await openAs(service, account, 'auditor', `${LIST}/${id}`);
    await auditor.page.getByRole('heading', { level: 1, name: ACTION.title }).waitFor();
    expect(await auditor.page.getByRole('button', { name: 'Cancel the request' }).count()).toBe(0);
    expect(await auditor.page.getByLabel('Type this number on the phone').count()).toBe(0);
    await auditor.page.getByRole('link', { name: 'All approvals' }).click();
    await auditor.page.getByRole('table', { name: 'Approvals' }).waitFor();
    expect(await auditor.page.getByRole('button', { name: 'Request an approval' }).count()).toBe(0);
    expectClean(auditor);
    await auditor.close();
    const developer = await openAs(service, account, 'developer', LIST);
    await developer.page.getByRole('button', { name: 'Request an approval' }).waitFor();
    await developer.page.goto('/dashboard/live/activity/approvals');
    await developer.page.getByRole('heading', { name: 'No approvals yet' }).waitFor();
    expect(await developer.page.getByRole('button', { name: 'Request an approval' }).count()).toBe(0);
    expectClean(developer);
    await developer.close();
  });
});
