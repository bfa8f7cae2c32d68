import { evidenceHash } from '@svc/zk/attestation';
import { registrationBind } from '@svc/zk/field';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { type EnrolmentFaults, enrolPasskey, PhonePasskey } from '../support/attestation.js';
import { type Ceremony, ceremonyBefore, completeBody, phone } from '../support/ceremony.js';
import { setPolicy } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';
import { proveBind } from '../support/several-phones.js';

let service: Service;
let account: Account;
let adminKey: string;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  adminKey = await service.createKey(account, 'live', ['zkp:register', 'devices:read']);
});
afterAll(() => service.close());

type Evidence = ReturnType<PhonePasskey['evidence']>;

/** Step 3 with evidence, and a proof that is bound to it. */
async function withEvidence(c: Ceremony, evidence: Evidence, bound: object = evidence) {
  const challengeNonce = c.challengeNonce as string;
  const { tenantId, environment, id: sessionId } = c;
  const hash = evidenceHash(bound);
  const bind = registrationBind({ tenantId, environment, sessionId, challengeNonce, evidenceHash: hash });
  const { proof, publicSignals } = await proveBind(c.identity, bind);
  return {
    ...{ verify_code: c.verifyCode, challenge_nonce: challengeNonce, proof, public_signals: publicSignals },
    attestation: { platform: 'webauthn', evidence },
  };
}

const evidenceFor = (c: Ceremony, passkey = new PhonePasskey(), faults: EnrolmentFaults = {}): Evidence =>
  passkey.evidence(account, c.challengeNonce as string, faults);
const complete = (body: object): Promise<Reply> => phone(service, 'complete', body);
const listKeys = async (did: string) =>
  (await service.call('GET', `/v1/attestation/keys?did=${did}`, { as: adminKey })).body.attestationKeys;
const failed = (reply: Reply) => expect([reply.status, reply.body.error]).toEqual([404, 'verify_failed']);

describe('a key in a registration [attestation/key-in-a-registration] [POST /v1/registrations/complete]', () => {
  it('is enrolled with the identity, and its id is in the response [attestation/id-of-a-key]', async () => {
    const c = await ceremonyBefore(service, account, 'complete');
    const evidence = evidenceFor(c);
    const completed = await complete(await withEvidence(c, evidence));
    const [key] = await listKeys(c.identity.did);
    expect([completed.status, completed.body.attestationKeyId]).toEqual([201, key.id]);
    expect([key.level, key.evidenceHash]).toEqual([2, evidenceHash(evidence)]);
  });

  it('is revoked with the device of the registration', async () => {
    const c = await ceremonyBefore(service, account, 'complete');
    await complete(await withEvidence(c, evidenceFor(c)));
    await service.call('DELETE', `/api/console/devices/${c.deviceId}`, { as: account.token });
    expect((await listKeys(c.identity.did))[0].revokedAt).not.toBeNull();
  });

  it('fails the step as everything else does, and a later attempt can succeed', async () => {
    const c = await ceremonyBefore(service, account, 'complete');
    const plain = await completeBody(c);
    const evidence = evidenceFor(c);
    const other = evidenceFor(c);
    const attempts = [
      { ...plain, attestation: { platform: 'webauthn', evidence } },
      await withEvidence(c, evidence, other),
      await withEvidence(
        c,
        evidenceFor(c, new PhonePasskey(), { shown: { origin: 'https://evil.example' } }),
      ),
      await withEvidence(c, { ...evidence, attestationObject: 'AAAA' }),
    ];
    const replies: Reply[] = [];
    for (const body of attempts) replies.push(await complete(body));
    for (const reply of replies) failed(reply);
    const shapes = replies.map(({ body: { requestId: _, ...rest } }) => JSON.stringify(rest));
    expect(new Set(shapes).size).toBe(1);
    expect((await complete(await withEvidence(c, evidence))).status).toBe(201);
  });

  it('must be bound to the proof: without it in the body, the proof fails', async () => {
    const c = await ceremonyBefore(service, account, 'complete');
    const { attestation: _, ...rest } = await withEvidence(c, evidenceFor(c));
    failed(await complete(rest));
  });

  it('of another identity fails the step', async () => {
    const first = await ceremonyBefore(service, account, 'complete');
    const passkey = new PhonePasskey();
    const evidence = evidenceFor(first, passkey);
    expect((await complete(await withEvidence(first, evidence))).status).toBe(201);
    const second = await ceremonyBefore(service, account, 'complete');
    const { enrolmentDigest } = await import('@svc/zk/attestation');
    const challenge = second.challengeNonce as string;
    const digest = enrolmentDigest({ tenantId: account.tenantId, environment: 'live', challenge });
    const again = { ...evidence, assertion: passkey.sign(digest) } as Evidence;
    failed(await complete(await withEvidence(second, again)));
    expect((await complete(await withEvidence(second, evidenceFor(second)))).status).toBe(201);
  });

  it('of a challenge with odd characters is the same failure', async () => {
    const c = await ceremonyBefore(service, account, 'complete');
    const body = await withEvidence(c, evidenceFor(c));
    failed(await complete({ ...body, challenge_nonce: 'ä|b\n' }));
  });

  it('that fails a recovery leaves nothing', async () => {
    await setPolicy(service, account, { protect_identities: true, recovery_cooldown_hours: 1 });
    const person = await registerPerson(service, account.key);
    const old = await enrolPasskey(service, account, person);
    const key = await service.createKey(account, 'live', ['users:write', 'users:recover']);
    const opened = await service.call('POST', '/v1/registrations', {
      as: key,
      body: { userId: person.userId },
    });
    const { createIdentity } = await import('@svc/zk/phone');
    const { commit, pair, freshFingerprint } = await import('../support/ceremony.js');
    const c: Ceremony = {
      ...{ id: opened.body.session.id, tenantId: account.tenantId, environment: 'live' },
      ...{ identity: createIdentity(), fingerprint: freshFingerprint(), pairCode: opened.body.pair.code },
    };
    await pair(service, c);
    await commit(service, c);
    const reply = await complete(await withEvidence(c, evidenceFor(c)));
    expect([reply.status, reply.body.state]).toEqual([201, 'pending_recovery']);
    await service.call('DELETE', `/v1/registrations/${c.id}`, { as: key });
    const rows = await service.db.query(sql`select k.id, k.revoked_at from attestation_keys k
      join identities i on i.tenant_id = k.tenant_id and i.environment = k.environment and i.id = k.identity_id
      where k.tenant_id = ${account.tenantId} and i.user_id = ${person.userId}`);
    expect(rows).toEqual([{ id: old.keyId, revoked_at: null }]);
  });
});
