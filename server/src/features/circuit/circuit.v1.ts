import { key, route } from '../../http/route.js';
import { verifiesOnChain } from '../anchors/anchors.js';
import { circuitInfo, freshNonce } from './circuit.js';
import * as schema from './circuit.schema.js';

export const circuitV1 = [
  route({
    operationId: 'createNonce',
    method: 'GET',
    path: '/v1/auth/zkp/nonce',
    summary: 'Get a fresh nonce and a timestamp to prove with',
    auth: key('nonce:create'),
    replies: { 200: schema.NonceReply },
    handler: async ({ deps, scope }) => ({ ...freshNonce(deps), ...scope }),
  }),
  route({
    operationId: 'getCircuitInfo',
    method: 'GET',
    path: '/v1/auth/zkp/circuit-info',
    summary: 'Get the circuit, its inputs and the addresses of its files',
    auth: key('zkp:verify'),
    replies: { 200: schema.CircuitInfoReply },
    handler: async ({ deps, scope, principal: { tenant } }) => ({
      ...circuitInfo(deps.zk, verifiesOnChain(deps, tenant)),
      ...scope,
    }),
  }),
];
