import { open, route } from '../../http/route.js';
import { declinePairing } from './decline.js';
import { publicPairing } from './pairing.js';
import * as schema from './pairing.schema.js';
import { contextErrors, declineErrors, submitErrors } from './pairing-openapi.js';
import { phoneWithoutKey, readContext } from './phone.js';
import { submitProof } from './submit.js';

const params = { id: 'pairing_session_not_found' } as const;
/** Each endpoint counts for itself. Many phones can share an address, so it may do more than one sign-in needs. */
const limit = (name: string) => ({
  name: `phone-pairing-${name}`,
  max: 600,
  windowSeconds: 60,
  each: { param: 'id', max: 20 },
});

/** The phone's endpoints without an API key. */
export const proofPairingPhone = [
  route({
    operationId: 'getPhonePairingContext',
    method: 'GET',
    path: '/v1/phone/pairing/:id/context',
    summary: 'Read who asks for a sign-in, as a phone without an API key',
    description:
      'Like `/v1/proof-pairing/sessions/:id/context`. The tenant and environment are those of the session. A phone that scanned the address of a code sends `tenantId` and `environment` of each account where it is registered, and receives the whole code from the right one.',
    auth: open,
    limit: limit('context'),
    schemas: { params, query: schema.PhoneContextQuery },
    replies: { 200: schema.ContextReply },
    errors: contextErrors,
    noStore: true,
    handler: async (context) => {
      const {
        params: { id },
        query,
        isHead,
      } = context;
      return readContext(await phoneWithoutKey(context, id), { id, query, isHead });
    },
  }),
  route({
    operationId: 'submitPhonePairingProof',
    method: 'POST',
    path: '/v1/phone/pairing/:id/submit',
    summary: 'Submit the proof and bind the session, as a phone without an API key',
    description: 'Like `/v1/proof-pairing/sessions/:id/submit`: the proof is the credential.',
    auth: open,
    limit: { ...limit('submit'), freeIfSuccessful: true },
    schemas: { params, body: schema.SubmitBody },
    replies: { 200: schema.SubmitReply },
    errors: submitErrors,
    secret: true,
    handler: async (context) => {
      const { id } = context.params;
      return submitProof(await phoneWithoutKey(context, id), id, context.body);
    },
  }),
  route({
    operationId: 'getPhonePairingState',
    method: 'GET',
    path: '/v1/phone/pairing/:id/state',
    summary: 'Follow a session that waits for the phone to be beside the browser',
    description:
      'Like `/v1/proof-pairing/sessions/:id/public`, with a limit that many phones at one address can share.',
    auth: open,
    limit: { ...limit('state'), each: { param: 'id', max: 40 } },
    schemas: { params },
    replies: { 200: schema.PublicReply },
    noStore: true,
    handler: ({ deps, params: { id } }) => publicPairing(deps, id),
  }),
  route({
    operationId: 'declinePhonePairing',
    method: 'POST',
    path: '/v1/phone/pairing/:id/decline',
    summary: 'Decline a sign-in, as a phone without an API key',
    description: 'Like `/v1/proof-pairing/sessions/:id/decline`, with the `scanTicket` of a context.',
    auth: open,
    limit: limit('decline'),
    schemas: { params, body: schema.DeclineBody },
    replies: { 200: schema.DeclineReply },
    errors: declineErrors,
    handler: async (context) => {
      const { id } = context.params;
      return declinePairing(await phoneWithoutKey(context, id), id, context.body);
    },
  }),
];
