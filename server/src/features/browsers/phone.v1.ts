import { open, route } from '../../http/route.js';
import { claimErrors, phoneOf } from '../proofs/proofs.js';
import * as schema from './browsers.schema.js';
import { forgetByPhone, listByPhone } from './by-phone.js';
import { PhoneForgetBody, PhoneListBody } from './phone.schema.js';

/** Many phones can share an address. */
const limit = (name: string) => ({ name: `phone-browsers-${name}`, max: 600, windowSeconds: 60 });
const description =
  'The proof is the credential. A phone names its account, and an unknown account returns the same 401 as a wrong proof.';

/** What a person does with their browsers on the phone, without an API key. */
export const browsersPhone = [
  route({
    operationId: 'listPhoneBrowsers',
    method: 'POST',
    path: '/v1/phone/browsers/list',
    summary: 'List the browsers that are known to the phone’s person, the last one used first',
    description: `The nonce is not spent. ${description}`,
    auth: open,
    limit: limit('list'),
    schemas: { body: PhoneListBody },
    replies: { 200: schema.BrowserList },
    errors: claimErrors,
    noStore: true,
    handler: async (context) => listByPhone(await phoneOf(context, context.body), context.body),
  }),
  route({
    operationId: 'forgetPhoneBrowser',
    method: 'POST',
    path: '/v1/phone/browsers/forget',
    summary: 'Forget a browser that is known to the phone’s person',
    description: `Sessions and sign-ins that were opened with it stay. ${description}`,
    auth: open,
    limit: limit('forget'),
    schemas: { body: PhoneForgetBody },
    replies: { 200: schema.BrowserReply },
    errors: [...claimErrors, 'browser_not_found'],
    handler: async (context) => forgetByPhone(await phoneOf(context, context.body), context.body),
  }),
];
