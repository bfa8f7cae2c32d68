import { expect } from 'vitest';
import { approvalKey, openApproval } from '../../../server/test/support/approvals.js';
import type { WindowOptions } from '../support/browser.js';
import { account, press, register, service, waitForHeading } from './phone-desk.js';
import { databaseOf, openPhone, type PhoneWindow } from './phone-window.js';

/** A registered phone with the ID of its person. */
export interface Approver extends PhoneWindow {
  readonly userId: string;
}

export async function openApprover(options: WindowOptions = {}, opened?: PhoneWindow): Promise<Approver> {
  const phone = opened ?? (await openPhone(service, options));
  await register(phone);
  const [identity] = (await databaseOf(phone.page)).identities;
  expect(identity?.enrolment).toBeDefined();
  return { ...phone, userId: identity?.enrolment?.userId ?? '' };
}

/** By account, because files that run in the same worker share this module. */
const keys = new Map<string, Promise<string>>();
const ownKey = (): Promise<string> => {
  const key = keys.get(account.tenantId) ?? approvalKey(service, account);
  keys.set(account.tenantId, key);
  return key;
};

/** An approval that waits for these people. Default: with a short text. */
export async function ask(approvers: readonly Approver[], more: object = {}) {
  return openApproval(
    service,
    await ownKey(),
    approvers.map(({ userId }) => userId),
    more,
  );
}

export const cancel = async (id: string) =>
  service.call('POST', `/v1/approvals/${id}/cancel`, { as: await ownKey() });

/** The approval as the one who asked sees it. */
export const approvalOf = async (id: string) =>
  (await service.call('GET', `/v1/approvals/${id}`, { as: await ownKey() })).body.approval;

/** Opens the link of an approval, as a phone's camera does. */
export async function openLink({ page }: PhoneWindow, id: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`/phone/#approval=${id}`);
}

/** Opens the link and waits for the approval. */
export async function openAsked(phone: PhoneWindow, id: string): Promise<void> {
  await openLink(phone, id);
  await waitForHeading(phone.page, 'Approve this?');
}

/** Scrolls to the end, as a person who reads all of it. */
export const scrollToEnd = ({ page }: PhoneWindow) =>
  page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');

export async function pressApprove(phone: PhoneWindow, name = 'Approve'): Promise<void> {
  await scrollToEnd(phone);
  await press(phone.page, name);
}

/** The bodies of decisions that a phone sent. */
export const decisionsOf = ({ bodies }: PhoneWindow): Record<string, unknown>[] =>
  bodies.map((body) => JSON.parse(body)).filter(({ decision }) => decision !== undefined);
