import { randomUUID } from 'node:crypto';
import type { PhoneIdentity } from '@svc/zk/phone';
import { proveFor } from '../phone.js';
import {
  type Body,
  byKey,
  maybeIdempotent,
  note,
  type Operation,
  type Plan,
  type Prediction,
  refusal,
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
    mayBeTwice: true,
    predict() {
      const named = externalId ? space.users.find((user) => user.externalId === externalId) : undefined;
      const isHeld = space.identities.some(({ userId, revoked }) => userId === named?.id && !revoked);
      const refusals = [
        ...(named && isHeld ? ['external_id_conflict'] : []),
        ...(space.identities.some((identity) => identity.did === did) ? ['did_already_registered'] : []),
        ...(space.identities.some((identity) => identity.commitment === commitment && identity.did !== did)
          ? ['commitment_already_registered']
          : []),
      ];
      if (refusals.length > 0) return refusal(409, refusals);
      return {
        status: 201,
        shows: { did, commitment, ...(named && { userId: named.id }) },
        commits: true,
        needsAnswer: true,
        apply({ userId }) {
          if (named === undefined) {
            const fullName = externalId ?? 'Unnamed';
            const user = { fullName, externalId: externalId ?? null, primaryDeviceId: null } as const;
            space.users.push({ id: userId, ...user, status: 'active' });
          }
          space.identities.push({ did, commitment, userId, deviceId: null, revoked: false, bound: false });
          note(space, 'identity.register');
        },
      };
    },
  };
  const show =
    ({ userId }: Body) =>
    () => ({ userId, did, commitment });
  return byKey(scene, maybeIdempotent(scene, plan, show));
};

export const revokeIdentity: Operation = (scene) => {
  const { world, space, dice } = scene;
  const { did } = (dice.pick(world.people) as Prepared).phone;
  return byKey(scene, {
    method: 'POST',
    path: '/v1/identity/revoke',
    body: { did },
    mayBeTwice: true,
    predict() {
      const identity = space.identities.find((one) => one.did === did);
      if (identity === undefined) return refusal(404, 'identity_not_found');
      const { commitment, userId } = identity;
      return {
        status: 200,
        shows: { identity: { did, commitment, userId } },
        commits: !identity.revoked,
        ...(!identity.revoked && {
          apply() {
            world.revoke(space, identity);
            note(space, 'identity.revoked');
          },
        }),
      };
    },
  });
};

/** The identity in force that a phone's proof may stand for, and what a proof leaves behind when it fails and when it passes. */
export function judge(space: Space, { did, commitment }: PhoneIdentity, action: string, entityId?: string) {
  const known = space.identities.find((one) => one.did === did);
  const user = space.users.find(({ id }) => id === known?.userId);
  const isInForce = known?.revoked === false && known.commitment === commitment && user?.status === 'active';
  const record = (result: 'pass' | 'fail') => {
    const userId = known?.userId ?? null;
    space.verifications.push({ id: '', method: 'zkp', userId, deviceId: null, result });
    note(space, action, entityId, result === 'pass' ? 'success' : 'failure');
  };
  const failed: Prediction = {
    ...refusal(401, 'verification_failed'),
    commits: true,
    apply: () => record('fail'),
  };
  return { identity: isInForce ? known : undefined, failed, pass: () => record('pass') };
}

/** A bare proof may be used again; a nonce may not, for as long as it is kept. */
export const verify: Operation = async (scene) => {
  const { world, space, dice, service } = scene;
  const registered = world.people.filter(({ phone }) =>
    space.identities.some(({ did }) => did === phone.did),
  );
  const { phone, proof } = (dice.pick(registered) ?? dice.pick(world.people)) as Prepared;
  const spent = dice.once(4) ? dice.pick([...space.nonces.keys()]) : undefined;
  const nonce = spent ?? randomUUID();
  const skew = [0, -5 * MINUTE, 5 * MINUTE, -5 * MINUTE - 1, 5 * MINUTE + 1][
    dice.once(5) ? dice.below(5) : 0
  ] as number;
  const timestamp = world.now() + skew;
  const { id: tenantId, allowsBareProofs } = space.tenant;
  const isBound = dice.once(10);
  const use = { tenantId, environment: space.environment, nonce, timestamp };
  const body = isBound ? await proveFor(service, phone, use) : { ...proof, did: phone.did, nonce, timestamp };
  return byKey(scene, {
    method: 'POST',
    path: '/v1/identity/verify',
    body,
    mayBeTwice: true,
    predict() {
      const { identity, failed, pass } = judge(space, phone, 'identity.verify');
      const isFresh = Math.abs(skew) <= 5 * MINUTE && Math.abs(timestamp - world.now()) <= 5 * MINUTE;
      const isTaken = isBound || (allowsBareProofs && !identity?.bound);
      if (identity === undefined || !isFresh || space.nonces.has(nonce) || !isTaken) return failed;
      return {
        status: 200,
        shows: { did: phone.did },
        commits: true,
        needsAnswer: true,
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
