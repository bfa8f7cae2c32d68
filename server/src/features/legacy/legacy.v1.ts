import { fail } from '../../base/errors.js';
import { key, route } from '../../http/route.js';
import { deriveFromTemplate, requireTemplateRegister, verifyUnbound } from './legacy.js';
import * as schema from './legacy.schema.js';

/** The deprecated endpoints of `/v1`. */
export const legacyV1 = [
  route({
    operationId: 'registerTemplate',
    method: 'POST',
    path: '/v1/auth/zkp/register',
    summary: 'Derive an identity from a template, which is not stored',
    description: 'The only endpoint that accepts a template. Derive the commitment on the device instead.',
    auth: key('zkp:register'),
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
    operationId: 'verifyUnboundProof',
    method: 'POST',
    path: '/v1/auth/zkp/verify',
    summary: 'Verify a proof of any secret, enrolled or not (not a login)',
    description:
      'Not a login. `verified: true` means that the proof shows knowledge of some secret, not that anybody enrolled it: no DID is looked up, and anybody can make up a secret. The proof is not bound to this request, so a copy of it can be sent again with another nonce. The session has no user (`assurance: unbound`). Use `POST /v1/identity/verify`. To disable this endpoint, set `deprecated_verify` to `off` in the security policy.',
    auth: key('zkp:verify'),
    successor: '/v1/identity/verify',
    schemas: { body: schema.UnboundVerifyBody },
    replies: { 200: schema.UnboundVerifyReply },
    errors: ['endpoint_disabled', 'proof_verification_failed', 'chain_unavailable'],
    secret: true,
    async handler(context) {
      const { tenant } = context.principal;
      const { deprecated_verify, require_verified_attestation } = tenant.securityPolicy;
      if (deprecated_verify === 'off' || require_verified_attestation) fail('endpoint_disabled');
      return verifyUnbound(context, context.body, { tenant });
    },
  }),
];
