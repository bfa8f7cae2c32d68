import { randomUUID } from 'node:crypto';
import { proveFor } from '../phone.js';
import { type Body, byKey, maybeIdempotent, note, type Operation, type Plan, refusal } from './plan.js';
import { MINUTE, type Prepared } from './world.js';

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

/** The nonces of the bare proofs that were tried; a proof may be used again, a nonce may not. */
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
      const identity = space.identities.find(({ did }) => did === phone.did);
      const user = space.users.find(({ id }) => id === identity?.userId);
      const isFresh = Math.abs(skew) <= 5 * MINUTE && Math.abs(timestamp - world.now()) <= 5 * MINUTE;
      const mayPass =
        identity !== undefined &&
        !identity.revoked &&
        identity.commitment === phone.commitment &&
        user?.status === 'active' &&
        isFresh &&
        !space.nonces.has(nonce) &&
        (isBound || (allowsBareProofs && !identity.bound));
      const event = { method: 'zkp', userId: identity?.userId ?? null, deviceId: null };
      if (!mayPass)
        return {
          ...refusal(401, 'verification_failed'),
          commits: true,
          apply() {
            space.verifications.push({ id: '', ...event, result: 'fail' });
            note(space, 'identity.verify', undefined, 'failure');
          },
        };
      return {
        status: 200,
        shows: { did: phone.did },
        commits: true,
        needsAnswer: true,
        apply(tokens) {
          space.nonces.set(nonce, timestamp + 10 * MINUTE);
          identity.bound ||= isBound;
          space.verifications.push({ id: '', ...event, result: 'pass' });
          world.openSession(space, identity, tokens);
          note(space, 'identity.verify');
        },
      };
    },
  });
};
