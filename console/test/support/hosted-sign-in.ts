import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { approveOnPhone, createClient } from '../../../server/test/support/oidc/oidc.js';
import { contextOf, phone, scanOf } from '../../../server/test/support/pairing.js';
import { registerPerson } from '../../../server/test/support/phone.js';
import { signUpFixed } from './northwind.js';
import type { PagesService } from './service.js';

const APPLICATION = 'https://time.northwind.example';

interface Hosted {
  /** What the application opens to sign somebody in. */
  readonly signIn: string;
  /** The same with an address that the application has not registered. */
  readonly wrong: string;
  readonly signOut: string;
  /** Where people type the code of a device. */
  readonly device: string;
  /** Begins a sign-in of a device. Returns the address with its code. */
  startDevice(): Promise<string>;
  /** What happens on the phone that scanned the page's code. */
  decline(page: Page): Promise<void>;
  approve(page: Page): Promise<void>;
}

/** An account with an application and a device. The service must have `fixedRandom`, which `restart` begins again. */
export async function seedHostedSignIn(
  service: PagesService,
  restart: (name: string) => void,
): Promise<Hosted> {
  restart('hosted sign-in');
  const account = await signUpFixed(service, 'sign-in@northwind.example', 'Northwind Traders');
  const profile = { accentColor: '#1f6f5c' };
  await service.call('PUT', '/api/console/profile', { as: account.token, body: profile });
  const oidc = { service, account };
  const { clientId } = await createClient(oidc, { redirectUris: [`${APPLICATION}/callback`] });
  const asDevice = { name: 'Meeting room display', type: 'device', redirectUris: [] };
  const device = await createClient(oidc, { ...asDevice, tokenEndpointAuth: 'none' });
  const person = await registerPerson(service, account.key);
  const issuer = `/oidc/${account.tenantId}/live`;
  const request = (callback: string) =>
    `${issuer}/auth?${new URLSearchParams({
      client_id: clientId,
      redirect_uri: `${APPLICATION}${callback}`,
      response_type: 'code',
      // The browser's requests to an application that doesn't exist can then be answered by the test.
      response_mode: 'form_post',
      scope: 'openid',
      code_challenge: createHash('sha256').update('verifier').digest('base64url'),
      code_challenge_method: 'S256',
    })}`;

  async function shownOn(page: Page) {
    const code = page.locator('[data-qr-payload]');
    const qrPayload = (await code.getAttribute('data-qr-payload')) as string;
    const matchCode = (await code.getAttribute('data-match-code')) as string;
    return { id: qrPayload.split(':')[3] as string, qrPayload, matchCode };
  }

  return {
    signIn: request('/callback'),
    wrong: request('/old-callback'),
    signOut: `${issuer}/session/end?client_id=${clientId}`,
    device: `${issuer}/device`,
    async startDevice() {
      const body = new URLSearchParams({ client_id: device.clientId, scope: 'openid' });
      const started = await fetch(`${service.origin}${issuer}/device/auth`, { method: 'POST', body });
      if (started.status !== 200) throw new Error(`${started.status} ${await started.text()}`);
      const { verification_uri_complete: address } = (await started.json()) as Record<string, string>;
      return address as string;
    },
    async decline(page) {
      const shown = await shownOn(page);
      const { body } = await contextOf(service, shown.id, scanOf(shown));
      await phone(service, shown.id, 'decline', { reason: 'not_me', scanTicket: body.scanTicket });
    },
    async approve(page) {
      await page.route(`${APPLICATION}/**`, (route) => route.fulfill({ body: '' }));
      await approveOnPhone(oidc, person, await shownOn(page));
      await page.waitForURL(`${APPLICATION}/**`);
    },
  };
}
