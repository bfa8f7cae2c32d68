import { randomUUID } from 'node:crypto';
import { attachedHash } from '@svc/zk/attestation';
import * as field from '@svc/zk/field';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { hashOfA } from '@svc/zk/rendezvous';
import { sql } from '../../src/db/sql.js';
import { answerBody, hex32, type Meeting, onPhone, openMeeting, takeStep } from './additions.js';
import { approvalKey, openApproval, send as sendDecision } from './approvals.js';
import { challengeFor, PhonePasskey } from './attestation.js';
import { ceremonyBefore, phone as ceremonyStep } from './ceremony.js';
import { contextOf, openPairing, phone as pairingStep, scanOf, submit } from './pairing.js';
import type { Person } from './phone.js';
import { type Desk, openRecovery } from './recoveries.js';
import { freshAddress, type Reply, type Service, sharedProver } from './service.js';

/** What every bind of a phone's own endpoints begins with. */
export type BoundUse = Parameters<typeof field.identitiesBind>[0];
export type Proved = Awaited<ReturnType<typeof proveAs>>;

/** A proof of a secret for a DID, bound to that value. Null: to the DID alone. */
export async function proveAs({ did, biometricSecret, salt }: PhoneIdentity, bind: bigint | null) {
  const { proof, publicSignals } = await (await sharedProver()).prove({
    biometricSecret,
    salt,
    didHash: bind === null ? field.didHash(did) : field.boundSignal(field.didHash(did), bind),
  });
  return { did, proof, publicSignals };
}

/** A request that waits for its proof. */
export interface Asked {
  /** Whose secret is proved. Default: the phone's. */
  readonly prover?: PhoneIdentity;
  /** What the proof must be bound to. */
  readonly bind: (use: BoundUse) => bigint;
  readonly body: (proved: Proved, use: BoundUse) => object | Promise<object>;
  readonly send: (body: object) => Promise<Reply>;
}

/** An endpoint that judges a proof. */
export interface Door {
  /** The status of a success. */
  readonly success: number;
  /** The proof is limited by a nonce and a time that the phone chooses. */
  readonly hasUse: boolean;
  /** What it asks for is its single use, and not a nonce. */
  readonly hasNonce?: false;
  /** The proof is of a registered identity, not of a new secret. */
  readonly isRegistered: boolean;
  /** Puts an assertion over the proof into a body. Absent: none may come. */
  readonly attest?: (body: object, attestation: object) => object;
  ask(service: Service, desk: Desk, phone: Person): Promise<Asked>;
}

const accountOf = ({ tenantId }: Desk) => ({ tenantId, environment: 'live' as const });
const callerOf = ({ key }: Desk, path: string) =>
  path.startsWith('/v1/phone/') ? { address: freshAddress() } : { as: key };
const singleUse = ({ nonce, timestampMs }: BoundUse) => ({ nonce, timestamp: Number(timestampMs) });
const attest = (body: object, attestation: object) => ({ ...body, attestation });

/** A door whose body is a proof with a nonce and a time. */
const single = (
  success: number,
  ask: (
    service: Service,
    desk: Desk,
    phone: Person,
  ) => Promise<{ readonly path: string; readonly bind: Asked['bind']; readonly more?: object }>,
): Door => ({
  success,
  hasUse: true,
  isRegistered: true,
  async ask(service, desk, phone) {
    const { path, bind, more } = await ask(service, desk, phone);
    return {
      bind,
      body: (proved, use) => ({ ...proved, ...singleUse(use), ...more }),
      send: (body) => service.call('POST', path, { ...callerOf(desk, path), body }),
    };
  },
});

/** The same without more to look up. A phone without a key names its account. */
const simple = (path: string, bind: Asked['bind'], success = 200): Door =>
  single(success, async (_service, desk) => ({
    ...{ path, bind },
    ...(path.startsWith('/v1/phone/') && { more: accountOf(desk) }),
  }));

/** A door with the proofs of two secrets. `part` is the one that is judged, the other one is right. */
const double = (act: 'add' | 'rotate', part: 'old' | 'new', isKeyless: boolean): Door => ({
  success: act === 'add' ? 201 : 200,
  hasUse: true,
  isRegistered: part === 'old',
  ...(part === 'old' && { attest }),
  async ask(service, desk, phone) {
    const joining = act === 'add' ? createIdentity() : { ...createIdentity(), did: phone.did };
    const { did: newDid, commitment: newCommitment } = joining;
    const oldBind = (use: BoundUse) =>
      act === 'add'
        ? field.addBind({ ...use, newDid, newCommitment })
        : field.rotateBind({ ...use, newCommitment });
    const newBind = (use: BoundUse, did = phone.did) => field.joinBind({ ...use, did, newCommitment });
    return {
      prover: part === 'old' ? phone : joining,
      bind: (use) => (part === 'old' ? oldBind(use) : newBind(use)),
      async body(proved, use) {
        const old = part === 'old' ? proved : await proveAs(phone, oldBind(use));
        const joined = part === 'new' ? proved : await proveAs(joining, newBind(use, proved.did));
        return {
          ...(isKeyless && accountOf(desk)),
          ...{ ...old, did: part === 'old' ? proved.did : phone.did, ...singleUse(use) },
          ...(act === 'add' && { newDid }),
          ...{ newCommitment, newProof: joined.proof, newPublicSignals: joined.publicSignals },
        };
      },
      send: (body) =>
        isKeyless
          ? service.call('POST', `/v1/phone/identity/${act}`, { body, address: freshAddress() })
          : service.call('POST', `/v1/identity/${act}`, { as: desk.key, body }),
    };
  },
});

const submission = (isKeyless: boolean, match?: 'type'): Door => ({
  success: 200,
  hasUse: false,
  isRegistered: true,
  attest: (body, attestation) => ({ ...body, clientMeta: { attestation } }),
  async ask(service, desk) {
    const pairing = await openPairing(service, desk.key, undefined, match && { match });
    const { id, nonce, matchCode } = pairing;
    return {
      bind: ({ tenantId, environment }) =>
        field.pairingBind({ tenantId, environment, sessionId: id, nonce, matchCode }),
      body: (proved) => ({ ...proved, ...(matchCode !== undefined && { matchCode, ...scanOf(pairing) }) }),
      send: (body) =>
        isKeyless ? pairingStep(service, id, 'submit', body) : submit(service, desk.key, id, body),
    };
  },
});

const decline = (isKeyless: boolean): Door => ({
  success: 200,
  hasUse: false,
  isRegistered: true,
  async ask(service, desk) {
    const { id, nonce } = await openPairing(service, desk.key);
    const { scanTicket } = (await contextOf(service, id)).body;
    return {
      bind: ({ tenantId, environment }) =>
        field.pairingDeclineBind({ tenantId, environment, sessionId: id, nonce }),
      body: (proved) => ({ ...proved, reason: 'not_me', ...(isKeyless && { scanTicket }) }),
      send: (body) =>
        isKeyless
          ? pairingStep(service, id, 'decline', body)
          : service.call('POST', `/v1/proof-pairing/sessions/${id}/decline`, { as: desk.key, body }),
    };
  },
});

/** An account has few keys. */
const askers = new WeakMap<Desk, string>();

const decision = (choice: 'approve' | 'decline', match?: 'type'): Door => ({
  success: 200,
  hasUse: true,
  hasNonce: false,
  isRegistered: true,
  attest,
  async ask(service, desk, { userId }) {
    const asker = askers.get(desk) ?? (await approvalKey(service, desk));
    askers.set(desk, asker);
    const { id, digest, matchCode } = await openApproval(service, asker, [userId], match && { match });
    const number = match && { matchCode: matchCode as string };
    return {
      bind: ({ tenantId, environment, timestampMs }) => {
        const fields = { tenantId, environment, approvalId: id, digest, decidedAtMs: timestampMs, ...number };
        return choice === 'approve' ? field.approveBind(fields) : field.approveDeclineBind(fields);
      },
      body: (proved, { timestampMs }) => ({
        ...{ ...proved, decision: choice, digest, decidedAt: Number(timestampMs) },
        ...number,
      }),
      send: (body) => sendDecision(service, id, body),
    };
  },
});

const enrolment = (isKeyless: boolean): Door => ({
  success: 201,
  hasUse: false,
  isRegistered: true,
  async ask(service, desk, phone) {
    const challenge = await challengeFor(service, desk, phone.did);
    const evidence = new PhonePasskey().evidence(desk, challenge);
    return {
      bind: ({ tenantId, environment }) =>
        field.attestBind({ tenantId, environment, attachedHash: attachedHash(challenge, evidence) }),
      body: (proved) => ({
        ...(isKeyless && accountOf(desk)),
        ...{ ...proved, challenge, platform: 'webauthn', evidence },
      }),
      send: (body) =>
        isKeyless
          ? service.call('POST', '/v1/phone/attestation/keys', { body, address: freshAddress() })
          : service.call('POST', '/v1/attestation/keys', { as: desk.key, body }),
    };
  },
});

/** A browser that is known to the person. */
async function knownBrowser(service: Service, { tenantId }: Desk, { userId }: Person): Promise<string> {
  const id = randomUUID();
  const now = new Date(service.clock.now());
  await service.db.query(sql`insert into known_browsers (tenant_id, environment, id, user_id, key_thumbprint, public_key, how,
      created_at, last_used_at)
    values (${tenantId}, 'live', ${id}, ${userId}, ${randomUUID()}, '{}'::jsonb, 'same_device', ${now}, ${now})`);
  return id;
}

/** Every way that a proof comes in. */
export const DOORS: Readonly<Record<string, Door>> = {
  'POST /v1/identity/verify': { ...simple('/v1/identity/verify', field.verifyBind), attest },
  'POST /v1/proof-pairing/sessions/:id/submit': submission(false),
  'POST /v1/phone/pairing/:id/submit': submission(true),
  'POST /v1/phone/pairing/:id/submit, with a number': submission(true, 'type'),
  'POST /v1/proof-pairing/sessions/:id/decline': decline(false),
  'POST /v1/phone/pairing/:id/decline': decline(true),
  'POST /v1/registrations/complete': {
    success: 201,
    hasUse: false,
    isRegistered: false,
    async ask(service, desk) {
      const c = await ceremonyBefore(service, desk, 'complete');
      const challengeNonce = c.challengeNonce as string;
      return {
        prover: c.identity,
        bind: ({ tenantId, environment }) =>
          field.registrationBind({ tenantId, environment, sessionId: c.id, challengeNonce }),
        body: ({ proof, publicSignals: public_signals }) => ({
          ...{ verify_code: c.verifyCode, challenge_nonce: challengeNonce, proof, public_signals },
        }),
        send: (body) => ceremonyStep(service, 'complete', body),
      };
    },
  },
  'POST /v1/identity/add, the phone that adds': double('add', 'old', false),
  'POST /v1/identity/add, the new phone': double('add', 'new', false),
  'POST /v1/phone/identity/add, the phone that adds': double('add', 'old', true),
  'POST /v1/phone/identity/add, the new phone': double('add', 'new', true),
  'POST /v1/identity/rotate, the old secret': double('rotate', 'old', false),
  'POST /v1/identity/rotate, the new secret': double('rotate', 'new', false),
  'POST /v1/phone/identity/rotate, the old secret': double('rotate', 'old', true),
  'POST /v1/phone/identity/rotate, the new secret': double('rotate', 'new', true),
  'POST /v1/phone/identity/revoke': single(200, async (_service, desk, { did }) => ({
    path: '/v1/phone/identity/revoke',
    bind: (use) => field.revokeBind({ ...use, revokedDid: did }),
    more: { ...accountOf(desk), revoke: did },
  })),
  'POST /v1/phone/identity/list': simple('/v1/phone/identity/list', field.identitiesBind),
  'POST /v1/phone/additions': single(201, async (_service, desk) => {
    const aHash = hashOfA(hex32());
    return {
      path: '/v1/phone/additions',
      bind: (use) => field.rendezvousBind({ ...use, aHash }),
      more: { ...accountOf(desk), aHash },
    };
  }),
  'POST /v1/phone/additions/:id/open': {
    success: 200,
    hasUse: false,
    isRegistered: false,
    async ask(service, desk, old) {
      const meeting: Meeting = await openMeeting(service, desk, { old });
      await takeStep(service, meeting, 'join');
      await takeStep(service, meeting, 'reveal');
      const { id, use, joining } = meeting;
      const bound = { nonce: use.nonce, timestampMs: use.timestamp };
      return {
        prover: joining,
        bind: ({ tenantId, environment }) =>
          field.joinBind({
            tenantId,
            environment,
            ...bound,
            did: old.did,
            newCommitment: joining.commitment,
          }),
        body: async ({ proof: newProof, publicSignals: newPublicSignals }) => ({
          ...{ ...(await answerBody(meeting)), newProof, newPublicSignals },
        }),
        send: (body) => onPhone(service, `/${id}/open`, body),
      };
    },
  },
  'POST /v1/attestation/keys': enrolment(false),
  'POST /v1/phone/attestation/keys': enrolment(true),
  'POST /v1/phone/browsers/list': simple('/v1/phone/browsers/list', field.browsersBind),
  'POST /v1/phone/browsers/forget': single(200, async (service, desk, phone) => {
    const browserId = await knownBrowser(service, desk, phone);
    return {
      path: '/v1/phone/browsers/forget',
      bind: (use) => field.forgetBrowserBind({ ...use, browserId }),
      more: { ...accountOf(desk), browserId },
    };
  }),
  'POST /v1/phone/approvals/:id/decide, approve': decision('approve'),
  'POST /v1/phone/approvals/:id/decide, approve with a number': decision('approve', 'type'),
  'POST /v1/phone/approvals/:id/decide, decline': decision('decline'),
  'POST /v1/phone/approvals/list': simple('/v1/phone/approvals/list', field.inboxBind),
  'POST /v1/phone/recoveries/:id/contest': single(200, async (service, desk, { userId }) => {
    const { c } = await openRecovery(service, desk, userId, desk.byRecoverer);
    return {
      path: `/v1/phone/recoveries/${c.id}/contest`,
      bind: (use) => field.contestBind({ ...use, recoveryId: c.id }),
    };
  }),
};
