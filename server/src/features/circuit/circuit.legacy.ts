import { networkOf } from '../../base/address.js';
import { legacy, route } from '../../http/route.js';
import { LEGACY_LIMIT } from '../../model/legacy-account.js';
import {
  circuitInfo,
  deriveFromTemplate,
  freshNonce,
  requireTemplateRegister,
  verifyUnbound,
} from './circuit.js';
import * as schema from './circuit.schema.js';

export const authZkpLegacy = [
  route({
    operationId: 'legacyRegisterTemplate',
    method: 'POST',
    path: '/api/auth/zkp/register',
    summary: 'Derive an identity from a template, which is not stored',
    auth: legacy,
    limit: LEGACY_LIMIT,
    gate: requireTemplateRegister,
    takesTemplate: true,
    successor: '/v1/identity/register',
    schemas: { body: schema.TemplateBody },
    replies: { 201: schema.TemplateReply },
    errors: ['template_register_disabled'],
    secret: true,
    handler: (context) => deriveFromTemplate(context, context.body.biometricTemplate),
  }),
  route({
    operationId: 'legacyVerifyUnboundProof',
    method: 'POST',
    path: '/api/auth/zkp/verify',
    summary: 'Verify a proof of any secret, enrolled or not (not a login)',
    description:
      'Not a login. `verified: true` means that the proof shows knowledge of some secret, not that anybody enrolled it. No account owns this endpoint, so no security policy applies to it. Its proofs have the lowest priority at the verifier.',
    auth: legacy,
    limit: LEGACY_LIMIT,
    successor: '/v1/identity/verify',
    schemas: { body: schema.UnboundVerifyBody },
    replies: { 200: schema.UnboundVerifyReply },
    errors: ['proof_verification_failed'],
    secret: true,
    handler: (context) => {
      const name = `legacy ${networkOf(context.address)}`;
      return verifyUnbound(context, context.body, { source: { name, keyless: true, priority: 'low' } });
    },
  }),
  route({
    operationId: 'legacyCreateNonce',
    method: 'GET',
    path: '/api/auth/zkp/nonce',
    summary: 'A fresh nonce and the time to prove with',
    auth: legacy,
    limit: LEGACY_LIMIT,
    successor: '/v1/auth/zkp/nonce',
    replies: { 200: schema.LegacyNonceReply },
    handler: async ({ deps }) => freshNonce(deps),
  }),
  route({
    operationId: 'legacyGetCircuitInfo',
    method: 'GET',
    path: '/api/auth/zkp/circuit-info',
    summary: 'The circuit, its inputs and where its files are',
    auth: legacy,
    limit: LEGACY_LIMIT,
    successor: '/v1/auth/zkp/circuit-info',
    replies: { 200: schema.LegacyCircuitInfoReply },
    handler: async ({ deps }) => circuitInfo(deps.zk, false),
  }),
];
