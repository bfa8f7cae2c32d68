// @module-tag if-touched @pages console/src/desk/ console/test/desk/ server/src/features/staff/: a member who works at a desk
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { completeCeremony } from '../../../server/test/support/ceremony.js';
import { addMember, type MemberAccount } from '../../../server/test/support/members.js';
import { openPhone } from '../phone/phone-window.js';
import { expectAccessible, expectAccessibleInEveryLook, expectClean } from '../support/browser.js';
import {
  account,
  beginOn,
  type DeskWindow,
  finishOn,
  heading,
  openDesk,
  press,
  registerOn,
  START,
  service,
  shownOn,
  startDeskService,
} from './setting.js';

startDeskService();

const TASKS = 'What do you want to do?';
const FIND = 'First or last name';

let member: MemberAccount;
let desk: DeskWindow;
beforeAll(async () => {
  member = await addMember(service, account, 'reception');
  desk = await openDesk();
});
afterAll(() => desk.close());

/** A member begins to work at the desk. */
async function start({ page }: Pick<DeskWindow, 'page'> = desk): Promise<void> {
  await heading(page, START);
  await press(page, 'Menu of the desk');
  await page.getByLabel('E-mail').fill(member.email);
  await page.getByLabel('Password').fill(member.password);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await heading(page, TASKS);
}

async function find(name: string): Promise<void> {
  await desk.page.getByLabel(FIND).fill(name);
  await press(desk.page, 'Find');
}

const userNamed = async (name: string) =>
  (await service.call('GET', `/v1/users?q=${encodeURIComponent(name)}`, { as: account.key })).body.users[0];

describe('a member who works at a desk', () => {
  it('starts with their log-in, registers somebody new, and confirms the name', async () => {
    const { page } = desk;
    await start();
    await page.getByText('Grace Hopper is working here.').waitFor();
    await expectAccessibleInEveryLook(page, 'desk-staff');
    await press(page, /^Register somebody/);
    await heading(page, 'Who wants to register?');
    await find('Lovelace');
    await page.getByText('Nobody was found.').waitFor();
    await expectAccessibleInEveryLook(page, 'desk-staff-nobody');
    await press(page, 'Somebody new');
    await heading(page, 'Who is it?');
    await page.getByLabel('First and last name').fill('Ada Lovelace');
    await page.getByLabel('E-mail or phone number').fill('not both');
    await press(page, 'Continue');
    await page.getByText('Enter an e-mail address or a phone number.').waitFor();
    await page.getByLabel('E-mail or phone number').fill('ada@example.com');
    await press(page, 'Continue');
    await heading(page, 'How do you know that this is Ada Lovelace?');
    await expectAccessibleInEveryLook(page, 'desk-staff-how');
    await press(page, 'I have seen a document');
    await heading(page, 'Scan with your phone');
    const phone = await openPhone(service);
    await registerOn(phone, (await shownOn(page)).code);
    await heading(page, 'Ada Lovelace is registered');
    await phone.close();
    await expectAccessibleInEveryLook(page, 'desk-staff-registered');
    expect(await userNamed('Ada Lovelace')).toMatchObject({
      fullName: 'Ada Lovelace',
      nameConfirmation: { memberId: member.id, how: 'document_seen', deviceId: desk.deviceId },
    });
    await press(page, 'Done');
    await heading(page, TASKS);
  });

  it('locks a lost phone, asks for a recovery, and says when the new phone works', async () => {
    const { page } = desk;
    await press(page, /^A phone is lost/);
    await find('Lovelace');
    await press(page, /^Ada Lovelace/);
    await heading(page, 'Which phone has Ada Lovelace lost?');
    // A double click locks nothing: its second half falls on the question.
    await page.getByRole('button', { name: 'Lock', exact: true }).dblclick();
    await page.getByRole('button', { name: 'Yes, lock' }).waitFor();
    await expectAccessibleInEveryLook(page, 'desk-staff-lock');
    await press(page, 'Yes, lock');
    await heading(page, 'The phone is locked');
    await expectAccessibleInEveryLook(page, 'desk-staff-locked');
    await press(page, 'Register the new phone');
    await heading(page, 'How do you know that this is Ada Lovelace?');
    expect(await page.getByText('They have a phone.').count(), 'it is locked').toBe(0);
    await press(page, 'I know them');
    await heading(page, 'Scan with your phone');
    const phone = await openPhone(service);
    await registerOn(phone, (await shownOn(page)).code);
    await heading(page, 'Ada Lovelace’s new phone does not work yet');
    await page
      .getByText(/^They can sign in from tomorrow .*, once an owner has confirmed the new phone/)
      .waitFor();
    await expectAccessibleInEveryLook(page, 'desk-staff-waits');
    await phone.close();
    const { recoveries } = (
      await service.call('GET', '/v1/recoveries?environment=live', { session: account.token })
    ).body;
    expect(recoveries).toHaveLength(1);
    await press(page, 'Done');
  });

  it('sees who is here', async () => {
    const { page } = desk;
    const created = await service.call('POST', '/v1/users', {
      as: account.key,
      body: { fullName: 'Alan Turing' },
    });
    const body = { userId: created.body.user.id, type: 'check_in' };
    expect((await service.call('POST', '/v1/attendance', { as: account.key, body })).status).toBe(201);
    await press(page, /^Who is here/);
    await heading(page, 'One person is here');
    await page.getByText('Alan Turing').waitFor();
    await expectAccessibleInEveryLook(page, 'desk-staff-presence');
    await press(page, 'Back');
    await heading(page, TASKS);
  });

  it('has no phone to lock for somebody without one, and finds nobody by two letters', async () => {
    const { page } = desk;
    const created = await service.call('POST', '/v1/users', {
      as: account.key,
      body: { fullName: 'Hedy Lamarr' },
    });
    expect(created.status).toBe(201);
    await press(page, /^Register somebody/);
    await desk.context.setOffline(true);
    await find('Lamarr');
    await page.getByText('The service did not respond.').waitFor();
    await page.getByRole('button', { name: 'Somebody new' }).waitFor();
    await desk.context.setOffline(false);
    await press(page, 'Back');
    await press(page, /^A phone is lost/);
    await find('He');
    await page.getByText('Enter a name with at least three letters.').waitFor();
    await find('Lamarr');
    await press(page, /^Hedy Lamarr/);
    await heading(page, 'Hedy Lamarr has no phone that works.');
    await press(page, 'Back');
    await heading(page, TASKS);
  });

  it('ends it, and nothing of it stays on the screen [reception/our-desk]', async () => {
    const { page } = desk;
    await press(page, 'End');
    await heading(page, START);
    expect(await page.locator('body').textContent()).not.toContain('Grace');
    expectClean(desk, /status of 401|ERR_INTERNET_DISCONNECTED/);
  });
});

describe('a member who reads another language', () => {
  it.each([
    {
      language: 'Deutsch',
      menu: 'Menü des Empfangs',
      email: 'E-Mail',
      password: 'Passwort',
      begin: 'Beginnen',
      tasks: 'Was möchten Sie tun?',
      lost: /^Ein Telefon ist verloren/,
      name: 'Vor- oder Nachname',
      find: 'Suchen',
      lock: 'Sperren',
      sure: 'Ja, sperren',
      end: 'Beenden',
    },
    {
      language: 'Español',
      menu: 'Menú del puesto',
      email: 'Correo electrónico',
      password: 'Contraseña',
      begin: 'Empezar',
      tasks: '¿Qué quieres hacer?',
      lost: /^Se ha perdido un móvil/,
      name: 'Nombre o último apellido',
      find: 'Buscar',
      lock: 'Bloquear',
      sure: 'Sí, bloquear',
      end: 'Terminar',
    },
  ])('works in $language at 320 pixels, also with somebody whose name is long', async (texts) => {
    const fullName = `Wolfeschlegelsteinhausenbergerdorff ${texts.language} von Hohenlohe`;
    await completeCeremony(service, account, { profile: { fullName } });
    const { page } = desk;
    await page.setViewportSize({ width: 320, height: 640 });
    await press(page, texts.language);
    await press(page, texts.menu);
    await page.getByLabel(texts.email).fill(member.email);
    await page.getByLabel(texts.password).fill(member.password);
    await page.getByRole('button', { name: texts.begin, exact: true }).click();
    await heading(page, texts.tasks);
    await press(page, texts.lost);
    await page.getByLabel(texts.name).fill('Hohenlohe');
    await press(page, texts.find);
    await press(page, new RegExp(`^${fullName}`));
    await press(page, texts.lock);
    await page.getByRole('button', { name: texts.sure }).waitFor();
    await expectAccessible(page);
    await press(page, texts.end);
    await heading(page, START);
    await page.setViewportSize({ width: 1024, height: 768 });
  });
});

describe('a member who has walked away', () => {
  beforeEach(async () => {
    await start();
  });

  it('has left after a reload [reception/our-desk]', async () => {
    await desk.page.reload();
    await heading(desk.page, START);
  });

  it('leaves a new phone to its wait after a reload, and does not say that it can sign in [reception/our-desk]', async () => {
    const { page } = desk;
    const profile = { fullName: 'Katherine Johnson' };
    const { did } = (await completeCeremony(service, account, { profile })).c.identity;
    const locked = await service.call('POST', '/v1/identity/revoke', { as: account.key, body: { did } });
    expect(locked.status).toBe(200);
    await press(page, /^Register somebody/);
    await find('Johnson');
    await press(page, /^Katherine Johnson/);
    await press(page, 'I know them');
    await heading(page, 'Scan with your phone');
    const phone = await openPhone(service);
    await beginOn(phone, (await shownOn(page)).code);
    await heading(page, 'Confirm on your phone');
    await expect
      .poll(() => page.evaluate(`'begunAt' in JSON.parse(localStorage.getItem('svc-desk-open') ?? '{}')`))
      .toBe(true);
    await page.reload();
    await heading(page, 'Confirm on your phone');
    await finishOn(phone);
    await heading(page, START);
    await phone.close();
  });

  it('has left when nobody has touched the desk for two minutes [reception/our-desk]', async () => {
    const { page } = desk;
    await page.clock.install();
    await page.clock.fastForward(91_000);
    await page.getByText('Are you still there?').waitFor();
    await page.clock.fastForward(15_000);
    await heading(page, START);
    await page.reload();
  });

  it('has left when the service says so, such as after their removal', async () => {
    const { page } = desk;
    const remove = `/api/console/members/${member.id}`;
    expect((await service.call('DELETE', remove, { as: account.token })).status).toBe(200);
    await press(page, /^Who is here/);
    await heading(page, START);
    await page.getByText('Your time at this desk is over. Log in again to go on.').waitFor();
    await press(page, 'Menu of the desk');
    await page.getByLabel('E-mail').fill(member.email);
    await page.getByLabel('Password').fill(member.password);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('The e-mail or the password is wrong.').waitFor();
    await page.keyboard.press('Escape');
    member = await addMember(service, account, 'auditor');
    await press(page, 'Menu of the desk');
    await page.getByLabel('E-mail').fill(member.email);
    await page.getByLabel('Password').fill(member.password);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Members with your role can’t work at this desk.').waitFor();
  });
});
