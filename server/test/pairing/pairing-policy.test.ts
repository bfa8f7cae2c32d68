import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { openPairing, type Pairing, proveForPairing, submit } from '../support/pairing.js';
import { type Person, proveFor, registerPerson } from '../support/phone.js';
import { type Account, type Service, startService } from '../support/service.js';

const FLAGS = [
  'require_strong_integrity',
  'require_device_integrity',
  'require_basic_integrity',
  'allow_device_attestation_absent',
] as const;
type Policy = Partial<Record<(typeof FLAGS)[number], boolean>>;

const REQUIRED = 'device_attestation_required';
const INSUFFICIENT = 'device_attestation_insufficient';
/** The error after the policy has passed: the proof is bound to another session. */
const PASSED = 'pairing_nonce_mismatch';

/** The result of each verdict by the strictest requirement. `absent` applies to policies that do not allow an absent verdict. */
// biome-ignore format: a table
const TABLE: Record<string, Record<string, string>> = {
  nothing: { absent: PASSED,   other: PASSED,       basic: PASSED,       device: PASSED,       strong: PASSED },
  basic:   { absent: REQUIRED, other: INSUFFICIENT, basic: PASSED,       device: PASSED,       strong: PASSED },
  device:  { absent: REQUIRED, other: INSUFFICIENT, basic: INSUFFICIENT, device: PASSED,       strong: PASSED },
  strong:  { absent: REQUIRED, other: INSUFFICIENT, basic: INSUFFICIENT, device: INSUFFICIENT, strong: PASSED },
};

const VERDICTS = {
  absent: undefined,
  other: 'MEETS_NOTHING',
  basic: 'MEETS_BASIC_INTEGRITY',
  device: 'MEETS_DEVICE_INTEGRITY',
  strong: 'MEETS_STRONG_INTEGRITY',
} as const;

describe('the security policy of a pairing', () => {
  let service: Service;
  let account: Account;
  let person: Person;
  let pairing: Pairing;
  /** A well-formed proof for another session. Its error shows whether the policy passed, and it never binds. */
  let stray: object;
  beforeAll(async () => {
    service = await startService();
    account = await service.signUp({ plan: 'enterprise' });
    person = await registerPerson(service, account.key);
    const { tenantId } = account;
    const elsewhere = await openPairing(service, account.key);
    stray = await proveForPairing(person, { tenantId, sessionId: elsewhere.id, nonce: elsewhere.nonce });
    pairing = await openPairing(service, account.key);
  });
  afterAll(() => service.close());

  const setPolicy = async (security_policy: object) => {
    const body = { security_policy };
    const reply = await service.call('PUT', '/api/console/security-policy', { as: account.token, body });
    expect(reply.status).toBe(200);
  };
  const present = (deviceAttestationVerdict: unknown, body = stray) =>
    submit(service, account.key, pairing.id, { ...body, clientMeta: { deviceAttestationVerdict } });
  const lastAudit = async () =>
    (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body.audit[0];

  const policies: [string, Policy][] = Array.from({ length: 16 }, (_, bits) => {
    const flags = FLAGS.filter((_, index) => bits & (1 << index));
    return [flags.join(' + ') || 'no flag', Object.fromEntries(flags.map((flag) => [flag, true]))];
  });

  it.each(policies)(
    'checks five verdicts against the policy %s [pairing.integrity_rejected]',
    async (_, policy) => {
      await setPolicy(policy);
      const required = policy.require_strong_integrity
        ? 'strong'
        : policy.require_device_integrity
          ? 'device'
          : policy.require_basic_integrity
            ? 'basic'
            : 'nothing';
      const snapshot = Object.fromEntries(FLAGS.map((flag) => [flag, policy[flag] ?? false]));
      for (const [verdict, presented] of Object.entries(VERDICTS)) {
        const row = TABLE[required] as Record<string, string>;
        const expected =
          verdict === 'absent' && policy.allow_device_attestation_absent ? PASSED : row[verdict];
        const reply = await present(presented);
        expect([verdict, reply.body.error]).toEqual([verdict, expected]);
        expect(reply.status).toBe(expected === REQUIRED ? 400 : 401);
        const event = await lastAudit();
        const claim = { verdict, evidence: verdict === 'absent' ? 'none' : 'claimed' };
        expect(event).toMatchObject({
          action: expected === PASSED ? 'pairing.binding_rejected' : 'pairing.integrity_rejected',
          status: 'failure',
          entityType: 'pairing_session',
          entityId: pairing.id,
          metadata: expected === PASSED ? claim : { ...claim, ...snapshot },
        });
        expect(JSON.stringify(event)).not.toContain(person.did.slice(8));
        expect(JSON.stringify(event)).not.toContain('did:svc');
      }
    },
  );

  it('accepts six exact names, and ranks every other value of any type lowest', async () => {
    await setPolicy({ require_basic_integrity: true });
    for (const good of ['basic', 'device', 'strong', ...Object.values(VERDICTS).slice(2)])
      expect((await present(good)).body.error, String(good)).toBe(PASSED);
    const bad: unknown[] = [
      'Strong',
      'STRONG',
      'meets_strong_integrity',
      ' MEETS_STRONG_INTEGRITY',
      'MEETS_STRONG_INTEGRITY,MEETS_DEVICE_INTEGRITY',
      ['MEETS_STRONG_INTEGRITY'],
      ['strong', 'strong'],
      { verdict: 'strong' },
      'constructor',
      '4',
      4,
      true,
      '',
      'x'.repeat(10_000),
    ];
    for (const verdict of bad) {
      expect((await present(verdict)).body.error, JSON.stringify(verdict)).toBe(INSUFFICIENT);
      expect((await lastAudit()).metadata.verdict).toBe('other');
    }
    expect((await present(null)).body.error).toBe(REQUIRED);
  });

  it('is checked before the session’s state, also for an unknown session [pairing/checks-of-a-submit]', async () => {
    await setPolicy({ require_basic_integrity: true });
    const unknown = await submit(service, account.key, crypto.randomUUID(), stray);
    expect([unknown.status, unknown.body.error]).toEqual([400, REQUIRED]);
    expect(await lastAudit()).toMatchObject({ action: 'pairing.integrity_rejected', entityId: null });
    const stranger = await service.signUp();
    const other = await submit(service, stranger.key, pairing.id, stray);
    expect([other.status, other.body.error]).toEqual([404, 'pairing_session_not_found']);
  });

  it('leaves the session open after a rejection, so a proof that meets it can still bind', async () => {
    await setPolicy({ require_device_integrity: true, require_basic_integrity: true });
    const fresh = await openPairing(service, account.key);
    const use = { tenantId: account.tenantId, sessionId: fresh.id, nonce: fresh.nonce };
    const body = await proveForPairing(person, use);
    const send = (deviceAttestationVerdict: string) =>
      submit(service, account.key, fresh.id, { ...body, clientMeta: { deviceAttestationVerdict } });
    expect((await send('basic')).status).toBe(401);
    const [row] = await service.db.query(
      sql`select state, errors from proof_pairing_sessions where id = ${fresh.id}`,
    );
    expect(row).toEqual({ state: 'issued', errors: [INSUFFICIENT] });
    expect((await send('device')).status).toBe(200);
    expect((await lastAudit()).metadata).toMatchObject({
      verdict: 'device',
      evidence: 'claimed',
      result: 'pass',
    });
  });

  it('does not apply to a verification without pairing', async () => {
    await setPolicy({ require_strong_integrity: true });
    const body = await proveFor(service, person, { tenantId: account.tenantId });
    const reply = await service.call('POST', '/v1/identity/verify', { as: account.key, body });
    expect(reply.status, reply.text).toBe(200);
  });
});
