import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { approvalKey, openApproval } from '../support/approvals.js';
import { type MailReceiver, startMailReceiver } from '../support/mail-receiver.js';
import { type Person, registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

let receiver: MailReceiver;
let service: Service;
let account: Account;
let key: string;
let ada: Person;
beforeAll(async () => {
  receiver = await startMailReceiver();
  service = await startService({ env: receiver.env });
});
afterAll(async () => {
  await service.close();
  await receiver.stop();
});
beforeEach(async () => {
  service.clock.advance(60_001);
  account = await service.signUp({ companyName: 'Example AG', plan: 'enterprise' });
  key = await approvalKey(service, account);
  ada = await registerPerson(service, account.key);
});

const write = (email: string, who = ada) =>
  service.call('PATCH', `/v1/users/${who.userId}`, { as: account.key, body: { email } });
const mailsTo = (email: string) => receiver.messages.filter(({ to }) => to.includes(email));
const arrived = (email: string, count: number) =>
  vi.waitFor(() => expect(mailsTo(email)).toHaveLength(count), { timeout: 60_000 });

it('a person with a confirmed e-mail hears of an approval: the company and the link, never the action [approvals/letters]', async () => {
  await write('ada@example.com');
  const { id } = await openApproval(service, key, [ada.userId]);
  await arrived('ada@example.com', 1);
  const [mail] = mailsTo('ada@example.com');
  expect(mail?.subject).toBe('An approval waits for you');
  expect(mail?.text).toContain('Example AG');
  expect(mail?.text).toContain(`/phone/#approval=${id}`);
  for (const secret of ['invoice', 'Müller', '1,200']) expect(mail?.raw).not.toContain(secret);
});

it('at most one a minute and person [approvals/letters]', async () => {
  await write('grace@example.com');
  await openApproval(service, key, [ada.userId]);
  await openApproval(service, key, [ada.userId]);
  await arrived('grace@example.com', 1);
  service.clock.advance(60_001);
  await openApproval(service, key, [ada.userId]);
  await arrived('grace@example.com', 2);
});

it('nobody without an e-mail, and none that only a device typed, hears of one', async () => {
  const other = await registerPerson(service, account.key);
  await write('typed@example.com');
  await service.db.query(
    // The column that the service sets when an e-mail comes from a device.
    (await import('../../src/db/sql.js')).sql`update tenant_users set email_from_device = true
      where tenant_id = ${account.tenantId} and id = ${ada.userId}`,
  );
  await write('confirmed@example.com', other);
  await openApproval(service, key, [ada.userId, other.userId]);
  await arrived('confirmed@example.com', 1);
  expect(mailsTo('typed@example.com')).toEqual([]);
});

it('a mail server that hangs delays nothing', async () => {
  const silent: Server = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const node = await startService({
    env: { ...receiver.env, SMTP_URL: `smtp://127.0.0.1:${port}` },
    clock: service.clock,
  });
  await write('slow@example.com');
  const { id } = await openApproval(node, key, [ada.userId]);
  const read = await node.call('GET', `/v1/approvals/${id}`, { as: key });
  expect(read.body.approval.state).toBe('pending');
  silent.close();
  await node.close();
});
