import { randomUUID } from 'node:crypto';
import type { PhoneIdentity } from '@svc/zk/phone';
import { proveFor } from '../phone.js';
import {
  type Body,
  byKey,
  maybeIdempotent,
  type Operation,
  type Plan,
  type Prediction,
  recordAudit,
  rejection,
} from './plan.js';
import { MINUTE, type Prepared, type Space } from './world.js';

export const registerIdentity: Operation = (scene) => {
  const { space, dice } = scene;
  const { phone } = dice.pick(scene.world.people) as Prepared;
  const other = dice.once(5) ? (dice.pick(scene.world.people) as Prepared).phone : phone;
  const externalId = dice.once(4) ? dice.pick(['u1', 'u2', 'u3']) : undefined;
  const { did } = phone;
  const { commitment } = other;
  const body = { did, commitment, ...(externalId && { externalId }) };
  const plan: Plan = {
    method: 'POST',
    path: '/v1/identity/register',
    body,
    canBeConcurrent: true,
    predict() {
      const named = externalId ? space.users.find((user) => user.externalId === externalId) : undefined;
      const theirs = space.identities.filter(({ userId }) => userId === named?.id);
      const conflicts = [
        ...(theirs.length > 0 && space.tenant.protectsIdentities ? ['recovery_required'] : []),
        ...(theirs.some(({ revoked }) => !revoked) && !space.tenant.protectsIdentities
          ? ['external_id_conflict']
          : []),
        ...(space.identities.some((identity) => identity.did === did) ? ['did_already_registered'] : []),
        ...(space.identities.some((identity) => identity.commitment === commitment && identity.did !== did)
          ? ['commitment_already_registered']
          : []),
      ];
      if (conflicts.length > 0) return rejection(409, conflicts);
      return {
        status: 201,
        expectedBody: { did, commitment, ...(named && { userId: named.id }) },
        commits: true,
        needsReply: true,
        apply({ userId }) {
          if (named === undefined) {
            const fullName = externalId ?? 'Unnamed';
            const user = { fullName, externalId: externalId ?? null, primaryDeviceId: null } as const;
            space.users.push({ id: userId, ...user, status: 'active' });
          }
          space.identities.push({ did, commitment, userId, deviceId: null, revoked: false, bound: false });
          recordAudit(space, 'identity.register');
        },
      };
    },
  };
  const serialize =
    ({ userId }: Body) =>
    () => ({ userId, did, commitment });
  return byKey(scene, maybeIdempotent(scene, plan, serialize));
};

export const revokeIdentity: Operation = (scene) => {
  const { world, space, dice } = scene;
  const { did } = (dice.pick(world.people) as Prepared).phone;
  return byKey(scene, {
    method: 'POST',
    path: '/v1/identity/revoke',
    body: { did },
    canBeConcurrent: true,
    predict() {
      const identity = space.identities.find((one) => one.did === did);
      if (identity === undefined) return rejection(404, 'identity_not_found');
      const { commitment, userId } = identity;
      return {
        status: 200,
        expectedBody: { identity: { did, commitment, userId } },
        commits: !identity.revoked,
        ...(!identity.revoked && {
          apply() {
            world.revoke(space, identity);
            recordAudit(space, 'identity.revoked');
          },
        }),
      };
    },
  });
};

/** The active identity of a phone's proof, if any, and the records that a failed and a successful proof write. */
export function checkProof(
  space: Space,
  { did, commitment }: PhoneIdentity,
  action: string,
  entityId?: string,
) {
  const known = space.identities.find((one) => one.did === did);
  const user = space.users.find(({ id }) => id === known?.userId);
  const isActive = known?.revoked === false && known.commitment === commitment && user?.status === 'active';
  const record = (result: 'pass' | 'fail') => {
    const userId = known?.userId ?? null;
    space.verifications.push({ id: '', method: 'zkp', userId, deviceId: null, result });
    recordAudit(space, action, entityId, result === 'pass' ? 'success' : 'failure');
  };
  const failed: Prediction = {
    ...rejection(401, 'verification_failed'),
    commits: true,
    apply: () => record('fail'),
  };
  return { identity: isActive ? known : undefined, failed, pass: () => record('pass') };
}

/** An unbound proof can be reused. A nonce can't be reused while it is stored. */
export const verify: Operation = async (scene) => {
  const { world, space, dice, service } = scene;
  const registered = world.people.filter(({ phone }) =>
    space.identities.some(({ did }) => did === phone.did),
  );
  const { phone, proof } = (dice.pick(registered) ?? dice.pick(world.people)) as Prepared;
  const used = dice.once(4) ? dice.pick([...space.nonces.keys()]) : undefined;
  const nonce = used ?? randomUUID();
  const skew = [0, -5 * MINUTE, 5 * MINUTE, -5 * MINUTE - 1, 5 * MINUTE + 1][
    dice.once(5) ? dice.below(5) : 0
  ] as number;
  const timestamp = world.now() + skew;
  const { id: tenantId, allowsUnboundProofs } = space.tenant;
  const isBound = dice.once(10);
  const use = { tenantId, environment: space.environment, nonce, timestamp };
  const body = isBound ? await proveFor(service, phone, use) : { ...proof, did: phone.did, nonce, timestamp };
  return byKey(scene, {
    method: 'POST',
    path: '/v1/identity/verify',
    body,
    canBeConcurrent: true,
    predict() {
      const { identity, failed, pass } = checkProof(space, phone, 'identity.verify');
      const isFresh = Math.abs(skew) <= 5 * MINUTE && Math.abs(timestamp - world.now()) <= 5 * MINUTE;
      const isAccepted = isBound || (allowsUnboundProofs && !identity?.bound);
      if (identity === undefined || !isFresh || space.nonces.has(nonce) || !isAccepted) return failed;
      return {
        status: 200,
        expectedBody: { did: phone.did },
        commits: true,
        needsReply: true,
        apply(tokens) {
          space.nonces.set(nonce, timestamp + 10 * MINUTE);
          identity.bound ||= isBound;
          pass();
          world.openSession(space, identity, tokens);
        },
      };
    },
  });
};
