import { evidenceHash } from '@svc/zk/attestation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkKeptEvidence, readKeptEvidence } from '../../src/bin/evidence.js';
import { sql } from '../../src/db/sql.js';
import { reseal } from '../../src/features/sealing/reseal.js';
import { deleteExpired } from '../../src/jobs.js';
import { enrolmentBody, PhonePasskey, sendEnrolment } from '../support/attestation.js';
import { freshDatabase } from '../support/database.js';
import { registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

const DAY_MS = 86_400_000;

let service: Service;
let account: Account;
let key: string;
beforeAll(async () => {
  // Sealing again covers all accounts, so this file needs its own database.
  service = await startService({ db: (await freshDatabase()).db });
  account = await service.signUp({ plan: 'enterprise' });
  key = await service.createKey(account, 'live', ['zkp:register', 'users:erase', 'users:read']);
});
afterAll(async () => {
  await service.close();
  await service.db.close();
});

async function enrolled() {
  const person = await registerPerson(service, account.key);
  const body = await enrolmentBody(service, person, new PhonePasskey(), account);
  const reply = await sendEnrolment(service, account, body);
  return { person, body, id: String(reply.body.attestationKey.id) };
}
const read = (id: string, as = key) => service.call('GET', `/v1/attestation/keys/${id}/evidence`, { as });
const stored = async (id: string) => {
  const [row] = await service.db.query<{ evidence: string | null }>(
    sql`select evidence from attestation_keys where id = ${id}`,
  );
  return row?.evidence;
};

describe('the evidence of an attestation key [attestation/kept-evidence] [GET /v1/attestation/keys/:id/evidence]', () => {
  it('is returned as it was sent, and its checks can be repeated without the service', async () => {
    const { person, body, id } = await enrolled();
    const reply = await read(id);
    expect(reply.body.attestationEvidence).toMatchObject({
      ...{ attestationKeyId: id, did: person.did, platform: 'webauthn' },
      ...{ tenantId: account.tenantId, environment: 'live', origin: 'http://localhost:3000' },
      ...{ challenge: body.challenge, evidence: body.evidence },
      evidenceHash: evidenceHash(body.evidence),
      keptUntil: new Date(service.clock.now() + 30 * DAY_MS).toISOString(),
    });
    const kept = readKeptEvidence(reply.text);
    const verdict = kept && (await checkKeptEvidence(kept));
    expect(verdict).toMatchObject({ isHashRight: true, checked: { backupEligible: false } });
  });

  it('is stored sealed only, and can be sealed with a new key', async () => {
    const { body, id } = await enrolled();
    const sealed = await stored(id);
    expect(sealed).toMatch(/^v1\./);
    expect(sealed).not.toContain(body.evidence.clientDataJSON.slice(0, 40));
    const resealed = await reseal(service.app.deps, { newKey: true });
    expect(resealed).toMatchObject({ unopened: 0 });
    expect(await stored(id)).not.toBe(sealed);
    expect((await read(id)).body.attestationEvidence.challenge).toBe(body.challenge);
  });

  it('is nobody else’s, and needs `zkp:register`', async () => {
    const { id } = await enrolled();
    const other = await service.signUp();
    for (const as of [
      await service.createKey(other, 'live', ['zkp:register']),
      await service.createKey(account, 'test', ['zkp:register']),
    ]) {
      const reply = await read(id, as);
      expect([reply.status, reply.body.error]).toEqual([404, 'attestation_key_not_found']);
    }
    expect((await read(id, await service.createKey(account, 'live', ['users:read']))).status).toBe(403);
  });

  it('stays after the key is revoked, and goes when the person is erased', async () => {
    const { person, id } = await enrolled();
    await service.call('DELETE', `/v1/attestation/keys/${id}`, { as: key });
    expect((await read(id)).status).toBe(200);
    const exported = await service.call('GET', `/v1/users/${person.userId}/export`, { as: key });
    expect(exported.text).toContain('"evidenceKept":true');
    await service.call('POST', `/v1/users/${person.userId}/erase`, { as: key, body: {} });
    expect(await stored(id)).toBeUndefined();
    expect((await read(id)).body.error).toBe('attestation_key_not_found');
  });

  it('is dropped after 30 days by a job, and its hash stays [attestation_evidence_not_found]', async () => {
    const { person, body, id } = await enrolled();
    service.clock.advance(30 * DAY_MS);
    expect((await read(id)).status).toBe(200);
    service.clock.advance(1);
    // Before the job has run, too.
    expect((await read(id)).body.error).toBe('attestation_evidence_not_found');
    expect(await stored(id)).toMatch(/^v1\./);
    await deleteExpired(service.app.deps);
    expect(await stored(id)).toBeNull();
    const reply = await read(id);
    expect([reply.status, reply.body.error]).toEqual([404, 'attestation_evidence_not_found']);
    const list = await service.call('GET', `/v1/attestation/keys?did=${person.did}`, { as: key });
    expect(list.body.attestationKeys[0].evidenceHash).toBe(evidenceHash(body.evidence));
  });
});

describe('checking kept evidence without the service [attestation/kept-evidence]', () => {
  it('finds every field that was changed', async () => {
    const { id } = await enrolled();
    const { attestationEvidence: right } = (await read(id)).body;
    const changed = [
      { tenantId: id },
      { environment: 'test' },
      { origin: 'https://other.example' },
      { challenge: 'A'.repeat(64) },
      { challenge: 'a|b' },
      { evidence: { ...right.evidence, clientDataJSON: right.evidence.assertion.clientDataJSON } },
      { evidence: { ...right.evidence, assertion: { ...right.evidence.assertion, signature: 'AA' } } },
      { origin: 'no address' },
    ];
    for (const change of changed) {
      const kept = readKeptEvidence(JSON.stringify({ attestationEvidence: { ...right, ...change } }));
      expect(kept && (await checkKeptEvidence(kept)).checked, JSON.stringify(change)).toHaveProperty(
        'refused',
      );
    }
    const kept = readKeptEvidence(
      JSON.stringify({ attestationEvidence: { ...right, evidenceHash: '0'.repeat(64) } }),
    );
    expect(kept && (await checkKeptEvidence(kept)).isHashRight).toBe(false);
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"attestationEvidence":{}}',
    '{"attestationEvidence":1,"attestationEvidence":2}',
  ])('reads nothing from %j', (text) => expect(readKeptEvidence(text)).toBeUndefined());
});
