import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { expect } from 'vitest';
import { joinBody, meetingAfter, onPhone } from '../../additions.js';
import { type Person, proveFor, registerPerson } from '../../phone.js';
import { type Account, freshAddress, type Reply, type Service } from '../../service.js';
import { accountOf, proveAdd, proveRevocation, proveRotation, withNewSecret } from '../../several-phones.js';

/** One request of a phone, or two at the same time, in whose middle the service is killed. */
interface Act {
  /** Sends it to a node. Undefined for each request without a response. */
  send(node: Service): Promise<readonly (Reply | undefined)[]>;
  /** Checks on another node that it was done or not, and nothing between. Then sends it again, as the phone does. Returns whether it was done. */
  check(node: Service): Promise<boolean>;
}

type Prepare = (node: Service, account: Account) => Promise<Act>;

const verifies = async (node: Service, account: Account, phone: PhoneIdentity): Promise<boolean> => {
  const body = await proveFor(node, phone, { tenantId: account.tenantId });
  const { status, text } = await node.call('POST', '/v1/identity/verify', { as: account.key, body });
  expect([200, 401], text).toContain(status);
  return status === 200;
};

const post = (node: Service, account: Account, path: string, body: object): Promise<Reply> =>
  node.call('POST', `/v1/phone/identity/${path}`, {
    body: { ...accountOf(account), ...body },
    address: freshAddress(),
  });

/** Undefined if the connection ended without a response. */
const orLost = (reply: Promise<Reply>): Promise<Reply | undefined> => reply.catch(() => undefined);

/** As a phone finds it out: the newest first, and once more at the end, because a request may arrive in the middle. */
async function secretInForce(
  node: Service,
  account: Account,
  old: PhoneIdentity,
  renewed: readonly PhoneIdentity[],
) {
  for (const secret of [...renewed, old, ...renewed])
    if (await verifies(node, account, secret)) return secret;
  throw new Error('no secret of the phone is in force');
}

/** One secret of the phone works, and no other. */
async function onlySecret(node: Service, account: Account, old: Person, renewed: readonly PhoneIdentity[]) {
  const secret = await secretInForce(node, account, old, renewed);
  for (const other of [old, ...renewed])
    if (other !== secret) expect(await verifies(node, account, other)).toBe(false);
  const { body } = await node.call('GET', `/v1/users/${old.userId}/identities`, { as: account.key });
  expect(body.identities).toMatchObject([
    { did: old.did, revokedAt: null, rotations: secret === old ? 0 : 1 },
  ]);
  return secret;
}

const rotate: Prepare = async (node, account) => {
  const phone = await registerPerson(node, account.key);
  const renewed = withNewSecret(phone);
  const body = await proveRotation(node, phone, renewed, account);
  return {
    send: async (to) => [await orLost(post(to, account, 'rotate', body))],
    async check(to) {
      const isDone = (await onlySecret(to, account, phone, [renewed])) === renewed;
      // The same request again: its nonce is spent only if it was done.
      expect((await post(to, account, 'rotate', body)).status).toBe(isDone ? 401 : 200);
      expect(await verifies(to, account, renewed)).toBe(true);
      return isDone;
    },
  };
};

/** With different new secrets, which an honest phone never sends. */
const rotateTwice: Prepare = async (node, account) => {
  const phone = await registerPerson(node, account.key);
  const renewed = [withNewSecret(phone), withNewSecret(phone)];
  const bodies = await Promise.all(renewed.map((each) => proveRotation(node, phone, each, account)));
  return {
    send: (to) => Promise.all(bodies.map((body) => orLost(post(to, account, 'rotate', body)))),
    check: async (to) => (await onlySecret(to, account, phone, renewed)) !== phone,
  };
};

const add: Prepare = async (node, account) => {
  const phone = await registerPerson(node, account.key);
  const joining = createIdentity();
  const body = await proveAdd(node, phone, joining, account);
  return {
    send: async (to) => [await orLost(post(to, account, 'add', body))],
    async check(to) {
      const again = await post(to, account, 'add', body);
      const isDone = again.status !== 201;
      for (const each of [phone, joining]) expect(await verifies(to, account, each), again.text).toBe(true);
      const { body: list } = await to.call('GET', `/v1/users/${phone.userId}/identities`, {
        as: account.key,
      });
      expect(list.identities).toHaveLength(2);
      return isDone;
    },
  };
};

/** The last step of an addition: the new phone is in force exactly if the addition is completed. */
const completeAddition: Prepare = async (node, account) => {
  const { id, use, old, joining } = await meetingAfter(node, account, 'join', 'reveal', 'open');
  const proved = await proveAdd(node, old, joining, { ...account, ...use });
  const body = { ...proved, additionId: id };
  const isCompleted = async (to: Service) =>
    (await onPhone(to, `/${id}`)).body.addition.state === 'completed';
  return {
    send: async (to) => [await orLost(post(to, account, 'add', body))],
    async check(to) {
      const isDone = (await verifies(to, account, joining)) || (await verifies(to, account, joining));
      expect(await isCompleted(to)).toBe(isDone);
      expect((await post(to, account, 'add', body)).status === 201).toBe(!isDone);
      expect([await isCompleted(to), await verifies(to, account, joining)]).toEqual([true, true]);
      return isDone;
    },
  };
};

const join: Prepare = async (node, account) => {
  const meeting = await meetingAfter(node, account);
  const body = joinBody(meeting);
  const send = (to: Service) => onPhone(to, `/${meeting.code}/join`, body);
  return {
    send: async (to) => [await orLost(send(to))],
    async check(to) {
      const again = await send(to);
      expect([201, 409], again.text).toContain(again.status);
      expect((await onPhone(to, `/${meeting.id}`)).body.addition).toMatchObject({
        state: 'joined',
        c: body.c,
      });
      return again.status === 409;
    },
  };
};

const revoke: Prepare = async (node, account) => {
  const phone = await registerPerson(node, account.key);
  const opened = await node.call('POST', '/v1/identity/verify', {
    as: account.key,
    body: await proveFor(node, phone, account),
  });
  const body = { ...(await proveRevocation(node, phone, phone.did, account)), revoke: phone.did };
  const isLive = async (to: Service) =>
    (
      await to.call('GET', '/v1/identity/me', {
        as: account.key,
        headers: { 'x-session-token': opened.body.accessToken },
      })
    ).status === 200;
  return {
    send: async (to) => [await orLost(post(to, account, 'revoke', body))],
    async check(to) {
      const isDone = !(await verifies(to, account, phone)) || !(await verifies(to, account, phone));
      expect(await isLive(to)).toBe(!isDone);
      const again = await post(to, account, 'revoke', body);
      expect(again.status, again.text).toBe(isDone ? 401 : 200);
      expect([await verifies(to, account, phone), await isLive(to)]).toEqual([false, false]);
      return isDone;
    },
  };
};

export const ACTS = { rotate, rotateTwice, add, completeAddition, join, revoke };
