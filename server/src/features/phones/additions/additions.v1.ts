import { open, route } from '../../../http/route.js';
import { code } from '../../../model/example-fixtures.js';
import { claimErrors } from '../../proofs/proofs.js';
import { answerAddition, joinAddition, revealAddition } from './additions.js';
import * as schema from './additions.schema.js';
import { openAddition, rejectAddition } from './opening.js';
import { readAddition } from './waiting.js';

const params = { id: 'addition_not_found' } as const;

/** Many phones can share an address, so each addition has a limit of its own. */
const limit = (name: string, max: number) => ({
  name: `phone-addition-${name}`,
  max: 600,
  windowSeconds: 60,
  each: { param: 'id', max },
});

/** How two phones of one person meet, without an API key. */
export const additionsV1 = [
  route({
    operationId: 'openAddition',
    method: 'POST',
    path: '/v1/phone/additions',
    summary: 'Open the addition of another phone, as a phone without an API key',
    description:
      'The phone proves an identity in force, bound to the SHA-256 of 32 random bytes that it keeps. The code is valid for five minutes.',
    auth: open,
    limit: { name: 'phone-addition-open', max: 60, windowSeconds: 60, freeIfSuccessful: true },
    schemas: { body: schema.OpenBody },
    replies: { 201: schema.OpenReply },
    errors: [...claimErrors, 'rate_limit_exceeded'],
    secret: true,
    handler: (context) => openAddition(context, context.body),
  }),
  route({
    operationId: 'joinAddition',
    method: 'POST',
    path: '/v1/phone/additions/:code/join',
    summary: 'Join an addition with its code, as the new phone',
    description:
      'The new phone commits to its identity before it learns anything of the other phone: `c` is the SHA-256 of `newDid|newCommitment|b`. The first phone wins.',
    auth: open,
    limit: { name: 'phone-addition-join', max: 20, windowSeconds: 60 },
    schemas: {
      params: { code: 'addition_not_found' },
      forms: { code: { pattern: /^[0-9A-Za-z -]{1,64}$/, example: code } },
      body: schema.JoinBody,
    },
    replies: { 201: schema.JoinReply },
    errors: ['addition_not_found', 'addition_closed'],
    noStore: true,
    handler: (context) => joinAddition(context, context.params.code, context.body),
  }),
  route({
    operationId: 'revealAddition',
    method: 'POST',
    path: '/v1/phone/additions/:id/reveal',
    summary: 'Reveal the old phone’s random bytes, after the new phone has joined',
    description: 'The nonce and the time are those of both proofs of `POST /v1/identity/add`.',
    auth: open,
    limit: limit('reveal', 20),
    schemas: { params, body: schema.RevealBody },
    replies: { 200: schema.AdditionReply },
    errors: ['addition_not_found', 'addition_closed'],
    noStore: true,
    handler: (context) => revealAddition(context, context.params.id, context.body),
  }),
  route({
    operationId: 'answerAddition',
    method: 'POST',
    path: '/v1/phone/additions/:id/open',
    summary: 'Open the new phone’s identity, with its proof',
    description:
      'What the new phone committed to, and the proof of its secret. From then on both phones can compute the six digits (docs/proofs.md).',
    auth: open,
    limit: limit('answer', 20),
    schemas: { params, body: schema.AnswerBody },
    replies: { 200: schema.AdditionReply },
    errors: ['addition_not_found', 'addition_closed', 'verification_failed'],
    noStore: true,
    handler: (context) => answerAddition(context, context.params.id, context.body),
  }),
  route({
    operationId: 'rejectAddition',
    method: 'POST',
    path: '/v1/phone/additions/:id/reject',
    summary: 'Reject an addition whose digits are wrong, as the old phone',
    auth: open,
    limit: limit('reject', 20),
    schemas: { params, body: schema.RejectBody },
    replies: { 200: schema.AdditionReply },
    errors: ['addition_not_found', 'addition_closed'],
    noStore: true,
    handler: (context) => rejectAddition(context, context.params.id, context.body),
  }),
  route({
    operationId: 'getAddition',
    method: 'GET',
    path: '/v1/phone/additions/:id',
    summary: 'Get an addition, or wait until its state changes',
    description:
      'With `wait`, the response is sent when the state is no longer `state`, or after that many seconds. Default of `state`: the present one.',
    auth: open,
    limit: limit('read', 240),
    schemas: { params, query: schema.AdditionQuery },
    replies: { 200: schema.AdditionReply },
    errors: ['addition_not_found'],
    noStore: true,
    handler: (context) => readAddition(context, context.params.id),
  }),
];
