// @module-tag if-touched @pages console/src/phone/approvals/ console/src/phone/inbox/ console/src/phone/ports/ console/src/phone/vault/ console/src/phone/phone.tsx console/src/phone/parts/ zk/artifacts/ zk/kernel/ zk/src/approvals/ zk/src/field.ts zk/src/prover/ zk/src/rendezvous.ts: a person approves in the browser, with real proofs
import { describe, expect, it } from 'vitest';
import { ACTION } from '../../../server/test/support/approvals.js';
import { expectClean } from '../support/browser.js';
import {
  approvalOf,
  ask,
  cancel,
  decisionsOf,
  openApprover,
  openAsked,
  openLink,
  pressApprove,
} from './approvals-desk.js';
import { checkLooks, press, service, startPhoneService, waitForHeading } from './phone-desk.js';
import { databaseOf, openPhone, withScreenLock } from './phone-window.js';

startPhoneService();

const DOCUMENT = {
  name: 'invoice-1815.pdf',
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
};

describe('approvals on the phone page', () => {
  it('lists what waits, shows one exactly as it is, and approves it', async () => {
    const phone = await openApprover();
    const { page } = phone;
    const action = {
      ...ACTION,
      note: 'Second reminder.\nhttps://example.com is <b>not</b> a link.',
      documents: [DOCUMENT],
      reference: 'invoice-1815',
    };
    const approval = await ask([phone], { action });
    await press(page, 'Done');
    await checkLooks(page, 'inbox-closed');
    expect(phone.bodies.join()).not.toContain('inbox');
    await page.getByRole('button', { name: 'Check for requests' }).click();
    await page.getByText('1 request waits for you').waitFor({ state: 'attached' });
    await checkLooks(page, 'inbox');
    // What comes later appears by itself, without another proof.
    const proofs = phone.bodies.length;
    const second = await ask([phone], { action: { ...ACTION, title: 'Open the gate' } });
    await page.getByText('Open the gate').waitFor({ timeout: 30_000 });
    expect(phone.bodies).toHaveLength(proofs);
    await cancel(second.id);

    await page.getByRole('button', { name: 'Pay an invoice' }).click();
    await waitForHeading(page, 'Approve this?');
    const sheet = page.getByRole('region', { name: 'Pay an invoice' });
    for (const text of ['Text from Example AG', 'Müller & Söhne GmbH', '€1,200.50', 'Reference invoice-1815'])
      await sheet.getByText(text, { exact: true }).waitFor();
    await sheet.getByText(/^Sent with the API key/).waitFor();
    expect(await sheet.getByText('<b>not</b>').count()).toBe(1);
    expect(await sheet.locator('a, b').count()).toBe(0);
    expect(await sheet.locator('code').textContent()).toBe(DOCUMENT.sha256);
    await page.getByRole('timer').waitFor();
    await checkLooks(page, 'approval');
    expect(decisionsOf(phone)).toEqual([]);
    await pressApprove(phone);
    await waitForHeading(page, 'Approved');
    await checkLooks(page, 'approval-approved');
    expect(await approvalOf(approval.id)).toMatchObject({
      state: 'approved',
      decisions: [{ userId: phone.userId, decision: 'approve' }],
    });
    expect(decisionsOf(phone)).toMatchObject([{ decision: 'approve', digest: approval.digest }]);

    await press(page, 'Done');
    await page.getByText('No request waits for you.').waitFor();
    await page.getByRole('button', { name: 'Show “Pay an invoice”' }).click();
    await waitForHeading(page, 'What you decided on');
    await page.getByText('Müller & Söhne GmbH').waitFor();
    await checkLooks(page, 'approval-history');
    expect((await databaseOf(page)).approvals).toMatchObject([{ id: approval.id, outcome: 'approved' }]);
    expectClean(phone);
    await phone.close();
  });

  it('asks for the number: a wrong one leaves the approval pending, three lock the number but not declining', async () => {
    const phone = await openApprover({ viewport: { width: 390, height: 844 } });
    const { page } = phone;
    const enter = async (digits: string, heading: string) => {
      await waitForHeading(page, 'Which number do you see?');
      await page.keyboard.type(digits);
      await press(page, 'Approve');
      await waitForHeading(page, heading);
    };
    const approval = await ask([phone], { match: 'type' });
    const matchCode = approval.matchCode as string;
    const wrong = matchCode === '00' ? '01' : '00';
    await openAsked(phone, approval.id);
    await pressApprove(phone, 'Enter the number');
    await waitForHeading(page, 'Which number do you see?');
    await checkLooks(page, 'approval-number');
    await enter(wrong, 'Wrong number');
    await checkLooks(page, 'approval-wrong-number');
    expect((await approvalOf(approval.id)).state).toBe('pending');
    await press(page, 'Type it again');
    await enter(matchCode, 'Approved');
    expect((await approvalOf(approval.id)).state).toBe('approved');

    service.clock.advance(86_400_000);
    const other = await ask([phone], { match: 'type' });
    const otherWrong = other.matchCode === '00' ? '01' : '00';
    await openAsked(phone, other.id);
    await pressApprove(phone, 'Enter the number');
    for (const heading of ['Wrong number', 'Wrong number', 'Locked for an hour']) {
      await enter(otherWrong, heading);
      if (heading === 'Wrong number') await press(page, 'Type it again');
    }
    await checkLooks(page, 'approval-locked');
    await press(page, 'Back');
    await press(page, 'This was not me');
    await waitForHeading(page, 'Declined');
    expect(await approvalOf(other.id)).toMatchObject({
      state: 'declined',
      decisions: [{ reason: 'not_me' }],
    });
    expectClean(phone, /status of 401/);
    await phone.close();
  });

  it.each([
    ['I don’t agree', 'no'],
    ['It is a mistake', 'mistake'],
  ])('declines because “%s”', async (name, reason) => {
    const phone = await openApprover();
    const { page } = phone;
    const approval = await ask([phone]);
    await openAsked(phone, approval.id);
    await press(page, 'Decline');
    await waitForHeading(page, 'Why do you decline?');
    if (reason === 'no') await checkLooks(page, 'approval-reasons');
    await page.getByRole('button', { name }).click();
    await waitForHeading(page, 'Declined');
    if (reason === 'no') await checkLooks(page, 'approval-declined');
    expect(await approvalOf(approval.id)).toMatchObject({ state: 'declined', decisions: [{ reason }] });
    expectClean(phone);
    await phone.close();
  });

  it('lets two people approve on two phones, and tells the first that the other still has to', async () => {
    const [ada, grace] = [await openApprover(), await openApprover()];
    const approval = await ask([ada, grace]);
    for (const phone of [ada, grace]) {
      await openAsked(phone, approval.id);
      await phone.page.getByText('All 2 people who are asked have to approve.').waitFor();
    }
    await pressApprove(ada);
    await ada.page.getByText('Others still have to approve.').waitFor();
    expect((await approvalOf(approval.id)).state).toBe('pending');
    // The one who decided can't decide again.
    await openLink(ada, approval.id);
    await waitForHeading(ada.page, 'You already decided');
    await pressApprove(grace);
    await grace.page.getByText('Example AG has your proof and can go on.').waitFor();
    expect((await approvalOf(approval.id)).state).toBe('approved');
    for (const phone of [ada, grace]) {
      expectClean(phone);
      await phone.close();
    }
  });

  it('asks for the screen lock before it reads the inbox and before it decides, and locks it when the person leaves [approvals/inbox-after-a-press]', async () => {
    const phone = await openPhone(service);
    const lock = await withScreenLock(phone);
    const { page } = phone;
    const approver = await openApprover({}, phone);
    const approval = await ask([approver]);
    await openLink(phone, approval.id);
    await waitForHeading(page, 'Open this request?');
    await checkLooks(page, 'approval-link');
    await press(page, 'Continue');
    await waitForHeading(page, 'Approve this?');
    await press(page, 'Later');
    await page.getByText('1 request waits for you').waitFor({ state: 'attached' });
    await page.evaluate(`(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      delete document.visibilityState;
    })()`);
    await page.getByRole('button', { name: 'Check for requests' }).waitFor();
    expect(await page.getByText('Pay an invoice').count()).toBe(0);
    await lock.reject();
    await page.getByRole('button', { name: 'Check for requests' }).click();
    await page.getByText('The phone was not unlocked').waitFor();
    expect((await approvalOf(approval.id)).state).toBe('pending');
    expectClean(phone);
    await phone.close();
  });
});
