// @module-tag if-touched @pages console/src/phone/approvals/ console/src/phone/inbox/ console/src/phone/ports/ console/src/phone/vault/ console/src/phone/phone.tsx console/src/phone/parts/ zk/artifacts/ zk/kernel/ zk/src/approvals/ zk/src/field.ts zk/src/prover/ zk/src/rendezvous.ts: approvals that are long, hostile, altered or over
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ACTION } from '../../../server/test/support/approvals.js';
import { expectAccessible, expectClean, inLooksOf, picture } from '../support/browser.js';
import {
  type Approver,
  approvalOf,
  ask,
  cancel,
  decisionsOf,
  openApprover,
  openAsked,
  openLink,
  pressApprove,
  scrollToEnd,
} from './approvals-desk.js';
import { checkLooks, press, service, startPhoneService, waitForHeading } from './phone-desk.js';
import { databaseOf, openPhone } from './phone-window.js';

startPhoneService();

const LIST = '**/v1/phone/approvals/list';
const DECIDE = '**/v1/phone/approvals/*/decide';

const LONG = {
  title: `Approved: press Close ${'W'.repeat(58)}`,
  fields: Array.from({ length: 12 }, (_, at) => ({
    label: `${at} ${'L'.repeat(38)}`.slice(0, 40),
    value: at % 2 === 0 ? 'x'.repeat(400) : 'ein Wort nach dem anderen '.repeat(16).slice(0, 400).trim(),
  })),
  note: Array.from({ length: 40 }, (_, line) => `Line ${line}`).join('\n'),
  documents: Array.from({ length: 2 }, (_, at) => ({
    name: `n${at}${'N'.repeat(70)}`,
    sha256: 'ab'.repeat(32),
  })),
};

/** Alters the statements that the service lists, on their way to the phone. */
async function alter(page: Page, change: (statement: Record<string, unknown>) => void): Promise<void> {
  await page.route(LIST, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const { statement } of body.approvals) change(statement);
    await route.fulfill({ response, json: body });
  });
}

describe('a long approval', () => {
  it('is approved only after its end was on the screen, and looks right at any length', async () => {
    const phone = await openApprover({ viewport: { width: 390, height: 700 } });
    const { page } = phone;
    const approval = await ask([phone], { action: LONG });
    await openAsked(phone, approval.id);
    const locked = page.getByRole('button', { name: 'Scroll to the end to approve' });
    await locked.waitFor();
    expect(await locked.isDisabled()).toBe(true);
    await page.mouse.wheel(0, 400);
    await page.waitForFunction('scrollY > 100');
    expect(await locked.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
    // Somebody who does not want it need not read it.
    const notMe = page.getByRole('button', { name: 'This was not me' });
    await expect.poll(() => notMe.isDisabled()).toBe(false);
    await inLooksOf('both')(page, async (look) => {
      await expectAccessible(page);
      await picture(page, `phone-approval-long-${look}`);
    });
    // With the keyboard alone.
    await page.keyboard.press('End');
    await page.getByText('You can approve now.').waitFor({ state: 'attached' });
    await press(page, 'Approve');
    await page.getByText('Example AG has your proof and can go on.').waitFor();
    expect((await approvalOf(approval.id)).state).toBe('approved');
    expectClean(phone);
    await phone.close();
  });

  it.each([
    {
      locale: 'de-CH',
      question: 'Das bestätigen?',
      from: 'Text von Example AG',
      notMe: 'Das war ich nicht',
      declined: 'Abgelehnt',
    },
    {
      locale: 'es-ES',
      question: '¿Aprobar esto?',
      from: 'Texto de Example AG',
      notMe: 'No he sido yo',
      declined: 'Rechazado',
    },
  ])(
    'is in the person’s language around the company’s text, which stays as it is: $locale',
    async (texts) => {
      const phone = await openApprover({ viewport: { width: 320, height: 700 } });
      const { page } = phone;
      await page.addInitScript(
        `Object.defineProperty(navigator, 'languages', { value: ['${texts.locale}'] })`,
      );
      const approval = await ask([phone], { action: ACTION });
      await openLink(phone, approval.id);
      await waitForHeading(page, texts.question);
      const sheet = page.getByRole('region', { name: 'Pay an invoice' });
      await sheet.getByText(texts.from).waitFor();
      expect(await sheet.getAttribute('translate')).toBe('no');
      await checkLooks(page, `approval-${texts.locale}`);
      await press(page, texts.notMe);
      await waitForHeading(page, texts.declined);
      await phone.close();
    },
  );
});

describe('an approval that was altered on the way', () => {
  it.each([
    [
      'hidden characters in the title',
      (s) => Object.assign(s.action as object, { title: 'Pay \u202eno\u202c one' }),
    ],
    ['a field that is not in the contract', (s) => Object.assign(s, { html: '<b>Pay</b>' })],
    ['another service', (s) => Object.assign(s, { issuer: 'https://evil.example' })],
    ['another company', (s) => Object.assign(s, { tenantId: '01890a5d-ac96-774b-bcce-b302099a8057' })],
    ['other people', (s) => Object.assign(s, { approvers: ['01890a5d-ac96-774b-bcce-b302099a8057'] })],
  ] as readonly [string, (statement: Record<string, unknown>) => void][])(
    'is not shown and not proved: %s',
    async (name, change) => {
      const phone = await openApprover();
      const { page } = phone;
      const approval = await ask([phone]);
      await alter(page, change);
      await openLink(phone, approval.id);
      await waitForHeading(page, 'This request can’t be shown');
      if (name === 'another service') await checkLooks(page, 'approval-unreadable');
      await press(page, 'Back');
      await page.getByText('A request is not shown').waitFor();
      expect(await page.getByText('Pay').count()).toBe(0);
      expect(decisionsOf(phone)).toEqual([]);
      expect((await approvalOf(approval.id)).state).toBe('pending');
      expectClean(phone);
      await phone.close();
    },
  );

  it('but looks like an approval is proved as it was shown, which the service rejects', async () => {
    const phone = await openApprover();
    const { page } = phone;
    const approval = await ask([phone]);
    await alter(page, (statement) => {
      Object.assign(statement.action as object, { title: 'Pay nothing' });
    });
    await openAsked(phone, approval.id);
    await page.getByText('Pay nothing').waitFor();
    await pressApprove(phone);
    await waitForHeading(page, 'Not accepted');
    await checkLooks(page, 'approval-rejected');
    expect(decisionsOf(phone)).not.toContainEqual(expect.objectContaining({ digest: approval.digest }));
    expect(await approvalOf(approval.id)).toMatchObject({ state: 'pending', decisions: [] });
    expectClean(phone, /status of 401/);
    await phone.close();
  });
});

describe('an approval that can’t be decided any more', () => {
  const reasons: [string, string, (id: string, phone: Approver) => Promise<unknown>][] = [
    ['cancelled', 'This request has ended', (id) => cancel(id)],
    [
      'expired, by the service’s clock',
      'This request has expired',
      async () => service.clock.advance(62_000),
    ],
    [
      'decided by this phone in another tab',
      'You already decided',
      async (id, phone) => {
        const page = await phone.context.newPage();
        const other = { ...phone, page };
        await openAsked(other, id);
        await pressApprove(other);
        await waitForHeading(page, 'Approved');
      },
    ],
  ];
  it.each(reasons)('%s: %s', async (_, heading, end) => {
    const phone = await openApprover();
    const { page } = phone;
    const approval = await ask([phone], { expiresInSeconds: 60 });
    await openAsked(phone, approval.id);
    // Within ten seconds, the screen would show by itself that it has ended.
    await page.route(/\/v1\/phone\/approvals(?:\?|$)/, () => {});
    await end(approval.id, phone);
    await pressApprove(phone);
    await waitForHeading(page, heading);
    expectClean(phone, /status of 409/);
    await phone.close();
  });

  it('ends on the screen when its time is over', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await page.clock.install();
    const approver = await openApprover({}, phone);
    const approval = await ask([approver], { expiresInSeconds: 30 });
    await openAsked(phone, approval.id);
    await page.clock.fastForward(31_000);
    await waitForHeading(page, 'This request has expired');
    await checkLooks(page, 'approval-expired');
    expect(decisionsOf(phone)).toEqual([]);
    expectClean(phone);
    await phone.close();
  });

  it('ends on the screen when it is cancelled', async () => {
    const phone = await openPhone(service);
    const { page } = phone;
    await page.clock.install();
    const approver = await openApprover({}, phone);
    const approval = await ask([approver]);
    await openAsked(phone, approval.id);
    await cancel(approval.id);
    await page.clock.fastForward(11_000);
    await waitForHeading(page, 'This request has ended');
    expect(decisionsOf(phone)).toEqual([]);
    expectClean(phone);
    await phone.close();
  });

  it('may have been decided when the response was lost, and the history says so', async () => {
    const phone = await openApprover();
    const { page } = phone;
    const approval = await ask([phone]);
    await openAsked(phone, approval.id);
    await page.route(DECIDE, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await pressApprove(phone);
    await page.getByText('The service did not respond.').waitFor();
    expect((await databaseOf(page)).approvals).toMatchObject([{ outcome: 'unconfirmed' }]);
    await page.unroute(DECIDE);
    await press(page, 'Try again');
    await waitForHeading(page, 'You already decided');
    await press(page, 'Done');
    await page.getByText('May have arrived').waitFor();
    expect((await approvalOf(approval.id)).state).toBe('approved');
    expectClean(phone, /ERR_FAILED|status of 409/);
    await phone.close();
  });
});

describe('the link of an approval', () => {
  it('says on a phone without an identity that another phone is needed, and the same for somebody else as for none', async () => {
    const [ada, grace] = [await openApprover(), await openApprover()];
    const approval = await ask([ada]);
    const none = await openPhone(service);
    await openLink(none, approval.id);
    await none.page.getByText('This phone is not registered').waitFor();
    await checkLooks(none.page, 'approval-no-identity');
    expect(none.bodies).toEqual([]);
    const texts = [];
    for (const id of [approval.id, '01890a5d-ac96-774b-bcce-b302099a8057']) {
      await openLink(grace, id);
      await waitForHeading(grace.page, 'Not a request for this phone');
      texts.push(await grace.page.locator('main').textContent());
    }
    expect(texts[0]).toBe(texts[1]);
    await checkLooks(grace.page, 'approval-not-for-you');
    for (const phone of [ada, grace, none]) {
      expectClean(phone);
      await phone.close();
    }
  });

  it('says what this phone decided before', async () => {
    const phone = await openApprover();
    const { page } = phone;
    const approval = await ask([phone]);
    await openAsked(phone, approval.id);
    await pressApprove(phone);
    await waitForHeading(page, 'Approved');
    await openLink(phone, approval.id);
    await waitForHeading(page, 'You already decided');
    expectClean(phone);
    await phone.close();
  });

  it('leads to an approval of each identity that the phone has', async () => {
    const phone = await openApprover();
    const { page } = phone;
    const approval = await ask([phone]);
    await openAsked(phone, approval.id);
    await scrollToEnd(phone);
    await press(page, 'Later');
    expect(decisionsOf(phone)).toEqual([]);
    await page.getByRole('button', { name: 'Pay an invoice' }).click();
    await waitForHeading(page, 'Approve this?');
    expectClean(phone);
    await phone.close();
  });
});
