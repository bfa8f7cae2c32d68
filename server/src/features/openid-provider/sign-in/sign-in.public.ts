import { open, route } from '../../../http/route.js';
import { ids } from '../../../model/example-fixtures.js';
import { SLUG } from '../provider/sign-in-address.js';
import { challengeCookie, setsChallenge } from './browser-challenge.js';
import {
  cancelSignIn,
  completeSignInOf,
  confirmNearby,
  consentToSignIn,
  describeSignIn,
  openSession,
  streamSession,
} from './sign-in.js';
import * as schema from './sign-in.schema.js';

const params = { uid: 'sign_in_not_found' } as const;
const forms = { uid: SLUG };
const limit = { name: 'sign-in', max: 120, windowSeconds: 60 } as const;
const cookies = {
  svc_sign_in: {
    description: 'Set when the sign-in begins. Only the browser that began it has it.',
    example: 'V1StGXR8_Z5jdHi6B-myT',
  },
} as const;

/** What the hosted sign-in page calls. Its browser is known by its cookies. */
export const signInPublic = [
  route({
    operationId: 'getSignIn',
    method: 'GET',
    path: '/sign-in/:uid/details',
    summary: 'Sign-in page: who asks for the sign-in',
    auth: open,
    limit,
    schemas: { params, forms },
    cookies,
    replies: { 200: schema.DetailsReply },
    errors: ['sign_in_not_found'],
    noStore: true,
    replyHeaders: setsChallenge,
    handler: async (context) => ({ signIn: await describeSignIn(context, context.params.uid) }),
  }),
  route({
    operationId: 'createSignInSession',
    method: 'POST',
    path: '/sign-in/:uid/session',
    summary: 'Sign-in page: a code for the phone, and the number to type there',
    description:
      'With `browser`, the key of this browser signs every later step. A session without a key is completed without one, and its browser never becomes known.',
    auth: open,
    limit: { name: 'sign-in-session', max: 30, windowSeconds: 60 },
    schemas: { params, forms, body: schema.SessionBody },
    cookies: { ...cookies, ...challengeCookie },
    replies: { 201: schema.SessionReply },
    errors: ['sign_in_not_found', 'browser_signature_invalid', 'new_browser_refused'],
    noStore: true,
    handler: async (context) => ({
      session: await openSession(context, context.params.uid, context.body),
    }),
  }),
  route({
    operationId: 'streamSignInSession',
    method: 'GET',
    path: '/sign-in/:uid/stream',
    summary: 'Sign-in page: what happens on the phone',
    auth: open,
    limit,
    schemas: { params, forms, query: schema.StreamQuery },
    headers: { 'Last-Event-ID': 'The last event that was seen; what came after it is sent.' },
    cookies,
    replies: { 200: 'text/event-stream' },
    examples: {
      200: `id: 1\nevent: session_created\ndata: {"id":"${ids.pairing}","state":"issued"}\n\nid: 2\nevent: session_bound\ndata: {"id":"${ids.pairing}","state":"bound"}\n\n`,
    },
    errors: ['sign_in_not_found', 'pairing_session_not_found', 'pairing_bind_mismatch'],
    noStore: true,
    handler: (context) => streamSession(context, context.params.uid, context.query.session),
  }),
  route({
    operationId: 'confirmSignInNearby',
    method: 'POST',
    path: '/sign-in/:uid/nearby',
    summary: 'Sign-in page: the phone is beside this browser',
    description:
      'After `session_needs_nearby`, whose `options` the page gives to `navigator.credentials.get`. Then the sign-in can be completed.',
    auth: open,
    limit: { name: 'sign-in-nearby', max: 30, windowSeconds: 60 },
    schemas: { params, forms, body: schema.NearbyBody },
    cookies,
    replies: { 200: schema.NearbyReply },
    errors: [
      'sign_in_not_found',
      'sign_in_not_approved',
      'browser_signature_invalid',
      'verification_failed',
      'pairing_session_not_found',
      'pairing_bind_mismatch',
      'pairing_session_expired',
    ],
    noStore: true,
    handler: async (context) => ({
      session: await confirmNearby(context, context.params.uid, context.body),
    }),
  }),
  route({
    operationId: 'completeSignIn',
    method: 'POST',
    path: '/sign-in/:uid/complete',
    summary: 'Sign-in page: go on after the phone has approved',
    description: 'A sign-in on the same device also needs the code that the phone returned with.',
    auth: open,
    limit,
    schemas: { params, forms, body: schema.CompleteBody },
    cookies,
    replies: { 200: schema.RedirectReply },
    errors: [
      'sign_in_not_found',
      'sign_in_not_approved',
      'browser_signature_invalid',
      'pairing_session_not_found',
      'pairing_bind_mismatch',
    ],
    noStore: true,
    handler: async (context) => ({
      redirectTo: await completeSignInOf(context, context.params.uid, context.body),
    }),
  }),
  route({
    operationId: 'consentToSignIn',
    method: 'POST',
    path: '/sign-in/:uid/consent',
    summary: 'Sign-in page: let the application have what it asks for',
    description: 'Only for a browser that is signed in, and a sign-in that asks for consent.',
    auth: open,
    limit,
    schemas: { params, forms, body: schema.ConsentBody },
    cookies,
    replies: { 200: schema.RedirectReply },
    errors: ['sign_in_not_found', 'sign_in_not_approved'],
    noStore: true,
    handler: async (context) => ({ redirectTo: await consentToSignIn(context, context.params.uid) }),
  }),
  route({
    operationId: 'cancelSignIn',
    method: 'POST',
    path: '/sign-in/:uid/cancel',
    summary: 'Sign-in page: go back to the application without signing in',
    auth: open,
    limit,
    schemas: { params, forms, body: schema.CancelBody },
    cookies,
    replies: { 200: schema.RedirectReply },
    errors: ['sign_in_not_found'],
    noStore: true,
    handler: async (context) => ({ redirectTo: await cancelSignIn(context, context.params.uid) }),
  }),
];
