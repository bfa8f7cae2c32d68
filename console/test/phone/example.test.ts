// @module-tag if-touched examples/phone-web/ sdk/src/phone/ @pages: bundles the example and proves in a browser
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { artifactsFolder } from '@svc/zk/setup/artifacts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACTION, approvalKey } from '../../../server/test/support/approvals.js';
import { openPairing } from '../../../server/test/support/pairing.js';
import { openWindow, type Window } from '../support/browser.js';
import { account, openDesk, press, service, startPhoneService, stateAtDesk } from './phone-desk.js';

startPhoneService();
let child: ChildProcess;
let phone: Window;
beforeAll(async () => {
  const file = fileURLToPath(new URL('../../../examples/phone-web/serve.mjs', import.meta.url));
  const env = {
    PATH: process.env.PATH,
    SVC_URL: service.origin,
    PORT: '0',
    ARTIFACTS: pathToFileURL(artifactsFolder).href,
  };
  child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(
    createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }),
    'line',
  );
  phone = await openWindow(String(url));
  await phone.page.goto(String(url));
});
afterAll(async () => {
  child?.kill();
  await phone?.close();
});

const says = (text: RegExp | string) => phone.page.getByRole('status').getByText(text).waitFor();
async function scan(text: string): Promise<void> {
  await phone.page.getByLabel('Text of the code').fill(text);
  await press(phone.page, 'Scan');
}

it('registers, also after a reload, signs a desktop in, approves, and replaces its secret', async () => {
  await says('Scan a code.');
  const { id, deeplink } = await openDesk();
  await scan(deeplink);
  await says('Example AG wants to register this phone.');
  await phone.page.reload();
  await says('Example AG wants to register this phone.');
  await press(phone.page, 'Register');
  await says('Registered Unnamed.');
  expect(await stateAtDesk(id)).toBe('completed');

  const { qrPayload } = await openPairing(service, account.key);
  await scan(qrPayload);
  await says('Example AG asks you to sign in to a desktop.');
  await press(phone.page, 'Approve');
  await says('Signed in.');

  const as = await approvalKey(service, account);
  const { body } = await service.call('GET', '/v1/users', { as: account.key });
  const asked = { approvers: [body.users[0].id], action: ACTION };
  await service.call('POST', '/v1/approvals', { as, body: asked });
  await press(phone.page, 'What waits for me');
  await says(/Pay an invoice/);
  await press(phone.page, 'Approve');
  await says('The approval is approved.');

  await press(phone.page, 'New secret');
  await says('This phone has a new secret.');
});
