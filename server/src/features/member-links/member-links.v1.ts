import { console, open, route } from '../../http/route.js';
import { phoneOf } from '../proofs/proofs.js';
import { linkByPhone, openLink } from './member-links.js';
import * as schema from './member-links.schema.js';

export const memberLinks = [
  route({
    operationId: 'consoleOpenMemberLink',
    method: 'POST',
    path: '/api/console/members/me/link',
    summary: 'Get a token by which a phone shows which person this member is',
    description: 'Nobody decides about corrections of their own hours for the account.',
    auth: console({ role: 'member' }),
    replies: { 200: schema.LinkReply },
    secret: true,
    handler: async ({ deps, principal }) => ({ link: openLink(deps, principal) }),
  }),
  route({
    operationId: 'linkMember',
    method: 'POST',
    path: '/v1/phone/member-link',
    summary: 'Show by a proof which person a member of the account is',
    description: 'The proof is bound to the id of the member, which the token names.',
    auth: open,
    limit: { name: 'phone-member-link', max: 60, windowSeconds: 60 },
    schemas: { body: schema.LinkBody },
    replies: { 200: schema.LinkedReply },
    errors: ['verification_failed', 'identity_changed', 'chain_unavailable'],
    handler: async (context) => linkByPhone(await phoneOf(context, context.body), context.body),
  }),
];
