// @module-tag if-touched @pages console/src/dashboard/users/ console/src/dashboard/registrations/: one page of the dashboard in detail
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import { enrolPasskey } from '../../../server/test/support/attestation.js';
import { completeCeremony } from '../../../server/test/support/ceremony.js';
import { deviceToken, enrolWithKey } from '../../../server/test/support/device-keys.js';
import { setPolicy } from '../../../server/test/support/pairing.js';
import type { Account } from '../../../server/test/support/service.js';
import { expectAccessible, expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
let account: Account;
beforeAll(async () => {
  service = await pagesService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

interface Registered {
  readonly userId: string;
  readonly registrationId: string;
  readonly verificationId: string;
}

const post = async (path: string, body: object) =>
  (await service.call('POST', path, { as: account.key, body })).body;
const get = async (path: string) => (await service.call('GET', path, { as: account.key })).body;

/** A person with a phone, who was verified and has checked in. */
async function register(fullName: string): Promise<Registered> {
  const profile = { fullName, email: 'grace@example.com' };
  const { c, reply } = await completeCeremony(service, account, { profile });
  const userId = reply.body.tenant_user.id as string;
  const event = { userId, method: 'manual', result: 'pass', referenceId: 'shift-1' };
  const { verification } = await post('/v1/verifications', event);
  await post('/v1/attendance', { userId, type: 'check_in', verificationId: verification.id });
  return { userId, registrationId: c.id, verificationId: verification.id };
}

const recordOf = (page: Page) => page.locator('#record');
const buttonOf = (page: Page, name: string) => recordOf(page).getByRole('button', { name });
const dialogOf = (page: Page) => page.getByRole('dialog');
const eraseIn = (dialog: Locator) => dialog.getByRole('button', { name: 'Erase the person' });

const isFocused = async (page: Page, target: Locator) =>
  (await target.and(page.locator(':focus')).count()) === 1;

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 15; presses += 1) {
    if (await isFocused(page, target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not reach it');
}

const chooseFile = (page: Page, buffer: Buffer) =>
  dialogOf(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });

describe('the import of people', () => {
  it('shows the file, adds everybody who is not there yet, and says what became of the others', async () => {
    await post('/v1/users', { fullName: 'Known before', externalId: 'i-1' });
    const window = await openDashboard(service, account, '/live/people');
    const { page } = window;
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    const choose = (text: string) => chooseFile(page, Buffer.from(text));
    await choose('E-mail\nada@example.com\n');
    await dialogOf(page).getByText('no column “Name”').waitFor();
    await choose(
      `Full name;External ID;E-mail;Shoe size\nKnown again;i-1;;38\n<b>Ida</b> Rhodes;i-2;ida@example.com;39\n;i-3;;\nIda twice;i-2;;\nToo long;i-4;${'x'.repeat(321)};\n`,
    );
    await dialogOf(page).getByText('Not used: Shoe size.').waitFor();
    await dialogOf(page).getByText('Line 4 will be left out: It has no name.').waitFor();
    await dialogOf(page).getByText('Line 5 will be left out').waitFor();
    await expectAccessible(page);
    await dialogOf(page).getByRole('button', { name: 'Add 3 people' }).click();
    await dialogOf(page).getByText('1 person added, 1 person not. 1 person was already here.').waitFor();
    await dialogOf(page).getByText('Line 6, Too long: E-mail').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialogOf(page).getByRole('link', { name: 'Download those not added' }).click(),
    ]);
    expect(await readFile(await file.path(), 'utf8')).toContain('Too long,xxx');
    await dialogOf(page).getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row').getByText('<b>Ida</b> Rhodes').waitFor();
    expect((await get('/v1/users?externalId=i-1')).users[0].fullName).toBe('Known before');
    expectClean(window, /status of 400/);
    await window.close();
  });
});

describe('the file of an import [users/import-and-export]', () => {
  it('is the export, unchanged, or shows that its characters are a guess, and names each line that is uncertain', async () => {
    const own = await service.signUp({ plan: 'enterprise' });
    const ada = { fullName: "'=Ada ", phone: '+41 44 668 18 00', email: 'ada@example.com' };
    await service.call('POST', '/v1/users', { as: own.key, body: ada });
    const exported = await service.call('GET', '/v1/users/export', { as: own.key });
    const window = await openDashboard(service, own, '/live/people');
    const { page } = window;
    const open = () => page.getByRole('button', { name: 'Import', exact: true }).click();
    await open();
    await chooseFile(page, Buffer.from(exported.text));
    await dialogOf(page).getByRole('button', { name: 'Add 1 person' }).click();
    await dialogOf(page).getByText('1 person added.').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Done' }).click();
    const { users } = (await service.call('GET', '/v1/users', { as: own.key })).body;
    expect(users).toMatchObject([ada, ada]);

    await open();
    await chooseFile(page, Buffer.from('Name\nMu\u0096oz\n', 'latin1'));
    await dialogOf(page).getByText('cannot be read for certain').waitFor();
    await chooseFile(
      page,
      Buffer.from('Name,E-mail,External ID\nJ\u00f6rg,j@x,1\nLovelace, Ada,ada@x,7\n', 'latin1'),
    );
    await dialogOf(page).getByText('It was read as Windows-1252').waitFor();
    await dialogOf(page).getByText('Line 3 will be left out: It has 4 fields, the first line 3.').waitFor();
    await expectAccessible(page);
    await dialogOf(page).getByRole('button', { name: 'Add 1 person' }).click();
    await dialogOf(page).getByText('Line 3 left out: It has 4 fields, the first line 3.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialogOf(page).getByRole('link', { name: 'Download those not added' }).click(),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toMatch(
      /^\ufeffNot added because,Full name,.*\r\n"It has 4 fields, the first line 3",Lovelace,Ada,,ada@x,,7\r\n$/,
    );
    const { body } = await service.call('GET', '/v1/users?externalId=1', { as: own.key });
    expect(body.users[0].fullName).toBe('Jörg');
    expectClean(window);
    await window.close();
  });
});

describe('the export of a person', () => {
  it('downloads one JSON document with everything about them [GET /v1/users/:userId/export] [erasure/exporting-a-person]', async () => {
    const { userId } = await register('Grace Hopper');
    const window = await openDashboard(service, account, `/live/people/${userId}`);
    const { page } = window;
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      recordOf(page).getByRole('link', { name: 'Export' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`user-${userId}.json`);
    const document = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(document).toMatchObject({
      environment: 'live',
      user: { id: userId, fullName: 'Grace Hopper' },
      verifications: [{ referenceId: 'shift-1' }],
      attendance: [{ type: 'check_in' }],
    });
    expect(document.identities).toHaveLength(1);
    expectClean(window);
    await window.close();
  });
});

describe('the name of a person', () => {
  it('is what they say until a member confirms it, and says so on their page [POST /api/console/users/:userId/confirm-name] [users/confirmed-names]', async () => {
    const { userId } = await register('Grace Hopper');
    const window = await openDashboard(service, account, `/live/people/${userId}`);
    const { page } = window;
    await recordOf(page).getByText('Said by themselves').waitFor();
    await buttonOf(page, 'Confirm the name').click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('How do you know?').selectOption('I have seen a document');
    await expectAccessibleInEveryLook(page, 'person-confirm-name');
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    await recordOf(page)
      .getByText(/^A member has seen a document,/)
      .waitFor();
    expect((await get(`/v1/users/${userId}`)).user.nameConfirmation).toMatchObject({
      how: 'document_seen',
      deviceId: null,
    });
    expectClean(window);
    await window.close();
  });
});

describe('an e-mail that somebody typed at a device', () => {
  it('is marked until somebody confirms it, and not by changing something else [PATCH /v1/users/:userId] [users/what-a-device-says]', async () => {
    const key = await deviceToken(service, await enrolWithKey(service, account));
    const profile = { fullName: 'Katherine Johnson', email: 'kj@example.com' };
    const { reply } = await completeCeremony(service, account, { profile, key });
    const userId = reply.body.tenant_user.id as string;
    const isMarked = async () => (await get(`/v1/users/${userId}`)).user.emailFromDevice;
    const window = await openDashboard(service, account, `/live/people/${userId}`);
    const { page } = window;
    const text = recordOf(page).getByText('Typed at a device.');
    await text.waitFor();
    await buttonOf(page, 'Edit').click();
    await dialogOf(page).getByLabel('Phone').fill('+41 44 668 18 00');
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
    expect(await isMarked()).toBe(true);
    await buttonOf(page, 'Confirm the e-mail').click();
    await text.waitFor({ state: 'detached' });
    expect(await isMarked()).toBe(false);
    expectClean(window);
    await window.close();
  });
});

describe('the browsers and passkeys of a person', () => {
  const knowBrowser = async (userId: string, browser: string | null, system: string | null, how: string) =>
    service.db.query(sql`insert into known_browsers (tenant_id, environment, id, user_id, key_thumbprint, public_key, browser, system,
        how, identity_id, commitment, created_at, last_used_at)
      select ${account.tenantId}, 'live', gen_random_uuid(), ${userId}, ${`${browser}`}, '{}', ${browser}, ${system}, ${how},
        id, commitment, ${new Date(service.clock.now())}, ${new Date(service.clock.now())} from identities
      where tenant_id = ${account.tenantId} and environment = 'live' and user_id = ${userId}`);

  it('lists the known browsers, and forgets one after saying what that means [GET /v1/users/:userId/browsers] [DELETE /v1/browsers/:id]', async () => {
    const { userId } = await register('Katherine Johnson');
    await knowBrowser(userId, 'Firefox', 'Windows', 'nearby');
    await knowBrowser(userId, null, null, 'same_device');
    await setPolicy(service, account, { new_browser: 'nearby_or_same_device' });
    const window = await openDashboard(service, account, `/live/people/${userId}`);
    const { page } = window;
    await recordOf(page).getByRole('button', { name: 'Known browsers' }).click();
    const list = recordOf(page).getByRole('list', { name: 'Known browsers' });
    await list.getByText('Unknown browser', { exact: true }).waitFor();
    await expectAccessibleInEveryLook(page, 'person-browsers');
    await list.getByRole('button', { name: 'Forget Firefox on Windows' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('The next sign-in there needs the phone beside it.').waitFor();
    await expectAccessibleInEveryLook(page, 'person-browser-forget');
    await dialog.getByRole('button', { name: 'Forget the browser' }).click();
    await page.getByText('Browser forgotten').first().waitFor();
    await expect.poll(() => list.getByText('Firefox on Windows').count()).toBe(0);
    expect((await get(`/v1/users/${userId}/browsers`)).browsers).toHaveLength(1);
    await setPolicy(service, account, {});
    expectClean(window);
    await window.close();
  });

  it('lists the passkeys of their phones, and revokes one [GET /v1/attestation/keys] [DELETE /v1/attestation/keys/:id]', async () => {
    const { c, reply } = await completeCeremony(service, account, { profile: { fullName: 'Annie Easley' } });
    await enrolPasskey(service, account, c.identity, { origin: service.origin, isSynced: true });
    const userId = reply.body.tenant_user.id as string;
    const window = await openDashboard(service, account, `/live/people/${userId}`);
    const { page } = window;
    await recordOf(page).getByRole('button', { name: 'Passkeys' }).click();
    const list = recordOf(page).getByRole('list', { name: 'Passkeys' });
    await list.getByText('Synced').waitFor();
    await list.getByText('Level 2, unlocked by the person').waitFor();
    await expectAccessibleInEveryLook(page, 'person-passkeys');
    await list.getByRole('button', { name: 'Revoke' }).click();
    await dialogOf(page).getByRole('button', { name: 'Revoke the passkey' }).click();
    await list.getByText('Revoked', { exact: true }).waitFor();
    await expectAccessibleInEveryLook(page, 'person-passkey-revoked');
    const { did } = c.identity;
    const { attestationKeys } = await get(`/v1/attestation/keys?did=${encodeURIComponent(did)}`);
    expect(attestationKeys).toMatchObject([{ revokedAt: expect.any(String) }]);
    expectClean(window);
    await window.close();
  });
});

describe('the erasure of a person', () => {
  it('says what goes and what stays, needs their name, and leaves a record without phones and buttons [POST /v1/users/:userId/erase] [erasure/erasing-a-person]', async () => {
    const { userId, verificationId } = await register('Ada Lovelace');
    const window = await openDashboard(service, account, `/live/people/${userId}`);
    const { page } = window;
    const dialog = dialogOf(page);
    await recordOf(page).getByRole('heading', { name: 'Phones' }).waitFor();
    await expectAccessibleInEveryLook(page, 'person-actions');
    await buttonOf(page, 'Erase').click();
    await dialog.getByRole('list', { name: 'What goes' }).getByText('Phones and their keys').waitFor();
    await dialog.getByRole('list', { name: 'What stays' }).getByText('Hashes on the blockchain').waitFor();
    await expectAccessibleInEveryLook(page, 'person-erase');
    await dialog.getByLabel('Name of the person').fill('Ada Lovelac');
    expect(await eraseIn(dialog).isDisabled()).toBe(true);
    await dialog.getByLabel('Name of the person').fill('Ada Lovelace');
    await expectAccessibleInEveryLook(page, 'person-erase-typed');
    await eraseIn(dialog).click();
    await page.getByText('Person erased').first().waitFor();

    const record = recordOf(page);
    await record.getByText('Erased on').waitFor();
    await record.getByRole('heading', { name: 'Erased person' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    for (const name of ['Phones', 'Passkeys', 'Known browsers', 'Sessions'])
      expect(await record.getByRole('heading', { name }).count()).toBe(0);
    for (const name of ['Edit', 'Deactivate', 'Erase']) expect(await buttonOf(page, name).count()).toBe(0);
    await record.getByRole('region', { name: 'Timeline' }).getByText('Erased', { exact: true }).waitFor();
    await buttonOf(page, 'Verifications').click();
    await record.getByRole('list', { name: 'Verifications' }).getByText('Passed').first().waitFor();
    await expectAccessibleInEveryLook(page, 'person-erased');
    expect((await get(`/v1/users/${userId}`)).user).toMatchObject({ fullName: '', email: null });
    expect((await get(`/v1/verifications/${verificationId}`)).verification.referenceId).toBeNull();
    expectClean(window);
    await window.close();
  });

  it('works from the keyboard alone, and keeps the text of events if that is chosen [erasure/erasing-a-person]', async () => {
    const { userId, verificationId } = await register('Joan Clarke');
    const window = await openDashboard(service, account, `/live/people/${userId}`);
    const { page } = window;
    const dialog = dialogOf(page);
    await buttonOf(page, 'Erase').waitFor();
    await recordOf(page).focus();
    await tabTo(page, buttonOf(page, 'Erase'));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await isFocused(page, buttonOf(page, 'Erase'))).toBe(true);
    await page.keyboard.press('Enter');
    await tabTo(page, dialog.getByLabel('Keep the text of events'));
    await page.keyboard.press('Space');
    const stays = dialog.getByRole('list', { name: 'What stays' });
    await stays.getByText('The text of verifications and attendance').waitFor();
    await tabTo(page, dialog.getByLabel('Reason, for the audit log'));
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, dialog.getByLabel('Name of the person'));
    await page.keyboard.press('Enter');
    await page.keyboard.type('Joan Clarke');
    await tabTo(page, eraseIn(dialog));
    await page.keyboard.press('Enter');
    await recordOf(page).getByText('Erased on').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
    expect((await get(`/v1/verifications/${verificationId}`)).verification.referenceId).toBe('shift-1');
    const { body } = await service.call('GET', '/v1/audit?limit=1', { as: account.key });
    expect(body.audit[0]).toMatchObject({
      action: 'user.erased',
      metadata: { reason: 'retention', events: 'keep' },
    });
    expectClean(window);
    await window.close();
  });

  it('that fails says why, and can be repeated [rate_limit_exceeded]', async () => {
    const { userId } = await register('Mary Jackson');
    const window = await openDashboard(service, account, `/live/people/${userId}`);
    const { page } = window;
    const dialog = dialogOf(page);
    await page.route(/\/erase/, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '60' },
        json: { error: 'rate_limit_exceeded', message: 'A key can erase 100 people a day.', requestId: 'r' },
      }),
    );
    await buttonOf(page, 'Erase').click();
    await dialog.getByLabel('Name of the person').fill('Mary Jackson');
    await eraseIn(dialog).click();
    await dialog.getByRole('alert').waitFor();
    await page.unroute(/\/erase/);
    await eraseIn(dialog).click();
    await recordOf(page).getByText('Erased on').waitFor();
    expectClean(window, /status of 429/);
    await window.close();
  });
});

describe('an erased person', () => {
  it('reads well wherever people have names [erasure/erasing-a-person]', async () => {
    const own = await service.signUp({ plan: 'enterprise' });
    const before = account;
    account = own;
    const { userId, registrationId, verificationId } = await register('Alan Turing');
    const eraser = await service.createKey(own, 'live', ['users:erase']);
    await service.call('POST', `/v1/users/${userId}/erase`, { as: eraser, body: {} });
    account = before;
    const window = await openDashboard(service, own, '/live/people');
    const { page } = window;
    const people = page.getByRole('table', { name: 'People' });
    await people.getByRole('link', { name: 'Erased person' }).waitFor();
    await people.getByText('Erased', { exact: true }).waitFor();
    await expectAccessibleInEveryLook(page, 'people-erased');
    for (const list of ['verifications', 'attendance', 'registrations']) {
      await page.goto(`/dashboard/live/${list}`);
      await page.getByRole('table').getByText('Erased person').first().waitFor();
      await expectAccessibleInEveryLook(page, `${list}-erased`);
    }
    await page.goto('/dashboard/live/home');
    await page.getByRole('link', { name: 'Erased person' }).first().waitFor();
    await page.goto(`/dashboard/live/activity/verifications?userId=${userId}`);
    await page.getByRole('button', { name: 'Remove the filter Person' }).waitFor();
    await page.goto(`/dashboard/live/activity/verifications/${verificationId}`);
    await recordOf(page).getByRole('link', { name: 'Erased person' }).waitFor();
    await page.goto(`/dashboard/live/people/registrations/${registrationId}`);
    await page.getByRole('heading', { name: 'Erased person' }).waitFor();
    await page.getByText('The person of this registration was erased.').waitFor();
    await expectAccessibleInEveryLook(page, 'registration-erased');
    await page.getByRole('button', { name: 'Find a person, device or page' }).click();
    await page.getByRole('combobox').fill(userId);
    await page.getByRole('option', { name: 'Erased person' }).waitFor();
    await expectAccessibleInEveryLook(page, 'find-erased');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/live/people/${userId}`);
    await recordOf(page).getByText('Erased on').waitFor();
    expect(await page.content()).not.toContain('Alan Turing');
    expectClean(window);
    await window.close();
  });
});
