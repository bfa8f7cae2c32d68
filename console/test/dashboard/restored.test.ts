// @module-tag if-touched @pages console/src/dashboard/recoveries/ console/src/dashboard/home/: one notice of the dashboard
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import { proveFor, registerPerson } from '../../../server/test/support/phone.js';
import { expectAccessible, expectClean } from '../support/browser.js';
import { type PagesService, pagesService } from '../support/service.js';
import { openDashboard } from '../support/signed-in.js';

let service: PagesService;
beforeAll(async () => {
  service = await pagesService();
});
afterAll(() => service.close());

describe('the home after a restore from a backup', () => {
  it('says that nobody can sign in, and unlocks the phones after a question [POST /api/console/account/confirm-restore] [erasure/after-a-restore]', async () => {
    const account = await service.signUp();
    const person = await registerPerson(service, account.key);
    const verify = async () =>
      service.call('POST', '/v1/identity/verify', {
        as: account.key,
        body: await proveFor(service, person, account),
      });
    const now = new Date(service.clock.now());
    await service.db.query(
      sql`update tenants set identities_locked_at = ${now} where id = ${account.tenantId}`,
    );
    const window = await openDashboard(service, account, '/live/home');
    const { page } = window;
    await page.getByText('Nobody can sign in with a phone.').waitFor();
    expect((await verify()).status).toBe(401);
    await page.getByRole('button', { name: 'Unlock the phones' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('API keys that were revoked after the backup work again too').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Unlock the phones' }).click();
    await page.getByText('Phones unlocked').first().waitFor();
    await page.getByText('Nobody can sign in with a phone.').waitFor({ state: 'detached' });
    expect((await verify()).status).toBe(200);
    expectClean(window);
    await window.close();
  });
});
