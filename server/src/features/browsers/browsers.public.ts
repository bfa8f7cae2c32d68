import { open, route } from '../../http/route.js';
import { forgetThisBrowser } from './browsers.js';
import * as schema from './browsers.schema.js';

/** What the sign-out page calls. */
export const browsersPublic = [
  route({
    operationId: 'forgetThisBrowser',
    method: 'POST',
    path: '/sign-in/browser/forget',
    summary: 'Sign-out page: forget this browser',
    description:
      'For everybody who signs in with it. `signature` is by the key of the browser, over `svc-browser-v1|forget|tenantId|environment`.',
    auth: open,
    limit: { name: 'forget-browser', max: 30, windowSeconds: 60 },
    schemas: { body: schema.ForgetBody },
    replies: { 200: schema.ForgetReply },
    errors: ['browser_signature_invalid'],
    noStore: true,
    handler: async (context) => ({ forgotten: await forgetThisBrowser(context, context.body) }),
  }),
];
