import { browsersBind, forgetBrowserBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import { decide, type PhoneCaller, prove } from '../proofs/proofs.js';
import { auditForgotten, serializeBrowser } from './browsers.js';
import * as store from './browsers.store.js';
import type { PhoneForgetBody, PhoneListBody } from './phone.schema.js';

/** The browsers that are known to a phone's person. It reads only, so it does not spend the nonce. */
export async function listByPhone(caller: PhoneCaller, input: Static<typeof PhoneListBody>) {
  const { prover, at } = await prove(caller, {
    purpose: 'browsers',
    action: 'identity.verify',
    input,
    bindOf: browsersBind,
    confirms: false,
  });
  return { browsers: (await store.listBrowsers(caller.read, prover.user_id, at)).map(serializeBrowser) };
}

/** Forgets one of them. @throws Failure `browser_not_found` also for a browser of somebody else */
export async function forgetByPhone(caller: PhoneCaller, input: Static<typeof PhoneForgetBody>) {
  const browserId = input.browserId.toLowerCase();
  const proved = await prove(caller, {
    purpose: 'forget-browser',
    action: 'browser.forgotten',
    input,
    bindOf: (use) => forgetBrowserBind({ ...use, browserId }),
    confirms: false,
  });
  const row = await decide(caller, proved, async (w, { user_id: userId }) => {
    const deleted = (await store.deleteBrowser(w, browserId, userId)) ?? fail('browser_not_found');
    auditForgotten(w, browserId, 'phone');
    return deleted;
  });
  return { browser: serializeBrowser(row) };
}
