import { open, route } from '../../http/route.js';
import { publicPairing } from './pairing.js';
import { PublicReply } from './pairing.schema.js';

export const proofPairingPublic = [
  route({
    operationId: 'getPublicPairingSession',
    method: 'GET',
    path: '/v1/proof-pairing/sessions/:id/public',
    summary: 'Whether a session can still be used, for a phone that scanned its code',
    auth: open,
    limit: { name: 'pairing-public', max: 30, windowSeconds: 60 },
    schemas: { params: { id: 'pairing_session_not_found' } },
    replies: { 200: PublicReply },
    noStore: true,
    handler: ({ deps, params }) => publicPairing(deps, params.id),
  }),
];
