import { randomUUID } from 'node:crypto';
import { proveForPairing } from '../pairing.js';
import { checkProof } from './identities.js';
import { byKey, type Operation, recordAudit, rejection, type Scene } from './plan.js';
import { MINUTE, type Pairing, type Prepared } from './world.js';

export const openPairing: Operation = (scene) => {
  const { world, space } = scene;
  return byKey(scene, {
    method: 'POST',
    path: '/v1/proof-pairing/sessions',
    predict: () => ({
      status: 201,
      expectedBody: { session: { state: 'issued' } },
      commits: true,
      needsReply: true,
      apply({ session: { id, nonce }, cookie }) {
        world.pairings.push({
          id,
          space,
          nonce,
          cookie,
          expiresAt: world.now() + 5 * MINUTE,
          state: 'issued',
        });
        recordAudit(space, 'pairing.session_created', id);
      },
    }),
  });
};

function somePairing({ world, space, dice }: Scene): { id: string; own: Pairing | undefined } {
  const mine = world.pairings.filter((pairing) => pairing.space === space);
  const found = dice.once(6) || mine.length === 0 ? dice.pick(world.pairings) : mine.at(-1);
  return { id: found?.id ?? randomUUID(), own: found?.space === space ? found : undefined };
}

export const pollPairing: Operation = (scene) => {
  const { world, dice } = scene;
  const { id, own } = somePairing(scene);
  const holds = !dice.once(4);
  return byKey(scene, {
    method: 'GET',
    path: `/v1/proof-pairing/sessions/${id}`,
    ...(own && holds && { headers: { cookie: own.cookie } }),
    predict() {
      if (own === undefined) return rejection(404, 'pairing_session_not_found');
      if (!holds) return rejection(403, 'pairing_bind_mismatch');
      const state = own.state === 'issued' && own.expiresAt <= world.now() ? 'expired' : own.state;
      return { status: 200, expectedBody: { session: { id, state } }, commits: false };
    },
  });
};

export const submitPairing: Operation = async (scene) => {
  const { world, space, dice } = scene;
  const { id, own } = somePairing(scene);
  const registered = world.people.filter(({ phone }) =>
    space.identities.some(({ did }) => did === phone.did),
  );
  const { phone, proof } = (dice.pick(registered) ?? dice.pick(world.people)) as Prepared;
  const isBound = own !== undefined && own.state === 'issued' && own.expiresAt > world.now() && dice.once(2);
  const use = {
    tenantId: space.tenant.id,
    environment: space.environment,
    sessionId: id,
    nonce: own?.nonce ?? '',
  };
  const body = isBound ? await proveForPairing(phone, use) : { ...proof, did: phone.did };
  return byKey(scene, {
    method: 'POST',
    path: `/v1/proof-pairing/sessions/${id}/submit`,
    body,
    predict() {
      if (own === undefined) return rejection(404, 'pairing_session_not_found');
      if (own.expiresAt <= world.now()) return rejection(410, 'pairing_session_expired');
      if (own.state === 'bound') return rejection(409, 'pairing_session_already_bound');
      if (own.state === 'declined') return rejection(409, 'pairing_session_closed');
      if (!isBound)
        return {
          ...rejection(401, 'pairing_nonce_mismatch'),
          commits: true,
          apply: () => recordAudit(space, 'pairing.binding_rejected', id, 'failure'),
        };
      const { identity, failed, pass } = checkProof(space, phone, 'pairing.submit', id);
      if (identity === undefined) return failed;
      return {
        status: 200,
        expectedBody: { session: { id, state: 'bound', did: phone.did, userId: identity.userId } },
        commits: true,
        needsReply: true,
        apply({ tokens }) {
          own.state = 'bound';
          identity.bound = true;
          pass();
          const { sid } = JSON.parse(Buffer.from(tokens.accessToken.split('.')[1], 'base64url').toString());
          world.openSession(space, identity, { ...tokens, sessionId: sid }, id);
        },
      };
    },
  });
};

export const declinePairing: Operation = (scene) => {
  const { world, space, dice } = scene;
  const { id, own } = somePairing(scene);
  return byKey(scene, {
    method: 'POST',
    path: `/v1/proof-pairing/sessions/${id}/decline`,
    body: { reason: dice.once(2) ? 'not_me' : 'mistake' },
    predict() {
      if (own === undefined) return rejection(404, 'pairing_session_not_found');
      if (own.expiresAt <= world.now()) return rejection(410, 'pairing_session_expired');
      if (own.state === 'bound') return rejection(409, 'pairing_session_already_bound');
      if (own.state === 'declined') return rejection(409, 'pairing_session_closed');
      return {
        status: 200,
        expectedBody: { session: { id, state: 'declined' } },
        commits: true,
        apply() {
          own.state = 'declined';
          recordAudit(space, 'pairing.declined', id);
        },
      };
    },
  });
};
