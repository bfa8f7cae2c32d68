import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../test-vectors.json' with { type: 'json' };
import * as everything from './field.js';
import {
  addBind,
  approveBind,
  approveDeclineBind,
  attendanceContestBind,
  attendanceListBind,
  attendancePinBind,
  attendBind,
  BASE_FIELD,
  boundSignal,
  browsersBind,
  commitmentFromHex,
  commitmentToHex,
  contestBind,
  correctBind,
  correctDeclineBind,
  didHash,
  field248,
  field248OfBytes,
  forgetBrowserBind,
  identitiesBind,
  inboxBind,
  joinBind,
  memberLinkBind,
  pairingBind,
  pairingDeclineBind,
  registrationBind,
  rendezvousBind,
  revokeBind,
  rotateBind,
  SCALAR_FIELD,
  verifyBind,
} from './field.js';
import { createIdentity, didOf } from './phone.js';
import { poseidon2 } from './poseidon.js';
import { sha256, toHex } from './prover/sha256.js';

const tenant = { tenantId: 't1', environment: 'live' };

describe('field encodings', () => {
  it('match the published vectors', () => {
    expect(String(BASE_FIELD)).toBe(vectors.fields.q);
    expect(String(SCALAR_FIELD)).toBe(vectors.fields.r);
    for (const { text, value } of vectors.field248) expect(String(field248(text))).toBe(value);
    for (const { did, value } of vectors.didHash) expect(String(didHash(did))).toBe(value);
    for (const { fields, value } of vectors.verifyBind) expect(String(verifyBind(fields))).toBe(value);
    for (const { fields, value } of vectors.pairingBind) expect(String(pairingBind(fields))).toBe(value);
    for (const { fields, value } of vectors.pairingDeclineBind)
      expect(String(pairingDeclineBind(fields))).toBe(value);
    for (const { fields, value } of vectors.registrationBind) {
      expect(String(registrationBind(fields))).toBe(value);
    }
    for (const { fields, value } of vectors.addBind) expect(String(addBind(fields))).toBe(value);
    for (const { fields, value } of vectors.joinBind) expect(String(joinBind(fields))).toBe(value);
    for (const { fields, value } of vectors.rotateBind) expect(String(rotateBind(fields))).toBe(value);
    for (const { fields, value } of vectors.revokeBind) expect(String(revokeBind(fields))).toBe(value);
    for (const { fields, value } of vectors.identitiesBind)
      expect(String(identitiesBind(fields))).toBe(value);
    for (const { fields, value } of vectors.contestBind) expect(String(contestBind(fields))).toBe(value);
    for (const { fields, value } of vectors.rendezvousBind)
      expect(String(rendezvousBind(fields))).toBe(value);
    for (const { fields, value } of vectors.approveBind) expect(String(approveBind(fields))).toBe(value);
    for (const { fields, value } of vectors.approveDeclineBind)
      expect(String(approveDeclineBind(fields))).toBe(value);
    for (const { fields, value } of vectors.inboxBind) expect(String(inboxBind(fields))).toBe(value);
    for (const { fields, value } of vectors.browsersBind) expect(String(browsersBind(fields))).toBe(value);
    for (const { fields, value } of vectors.forgetBrowserBind)
      expect(String(forgetBrowserBind(fields))).toBe(value);
    for (const { fields, value } of vectors.attendBind) expect(String(attendBind(fields))).toBe(value);
    for (const { fields, value } of vectors.correctBind) expect(String(correctBind(fields))).toBe(value);
    for (const { fields, value } of vectors.correctDeclineBind)
      expect(String(correctDeclineBind(fields))).toBe(value);
    for (const { fields, value } of vectors.attendanceListBind)
      expect(String(attendanceListBind(fields))).toBe(value);
    for (const { fields, value } of vectors.attendanceContestBind)
      expect(String(attendanceContestBind(fields))).toBe(value);
    for (const { fields, value } of vectors.attendancePinBind)
      expect(String(attendancePinBind(fields))).toBe(value);
    for (const { fields, value } of vectors.memberLinkBind)
      expect(String(memberLinkBind(fields))).toBe(value);
    for (const vector of vectors.boundSignal) {
      expect(String(boundSignal(BigInt(vector.didHash), BigInt(vector.bind)))).toBe(vector.value);
    }
    for (const { commitment, did } of vectors.did) expect(didOf(commitment)).toBe(did);
  });

  it('agree with SHA-256 at every length around a block boundary', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(toHex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
      }),
      { seed: 1, numRuns: 300 },
    );
    for (const length of [0, 55, 56, 63, 64, 65, 119, 120]) {
      const bytes = new Uint8Array(length).fill(0xff);
      expect(toHex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });

  it('hash bytes that are not valid UTF-8 unchanged', () => {
    const bytes = Uint8Array.of(0xff, 0x00, 0xfe);
    const digest = createHash('sha256').update(bytes).digest('hex');
    expect(field248OfBytes(bytes)).toBe(BigInt(`0x${digest.slice(0, 62)}`));
  });

  it('always return an element below 2^248', () => {
    fc.assert(
      fc.property(fc.string(), (text) => field248(text) < 1n << 248n),
      { seed: 2 },
    );
  });
});

describe('a bind value', () => {
  const verify = { ...tenant, nonce: 'aa', timestampMs: 1 };
  const pairing = { ...tenant, sessionId: 'aa', nonce: '1' };

  it('differs by purpose, tenant, environment and every field', () => {
    const values = [
      verifyBind(verify),
      pairingBind(pairing),
      pairingDeclineBind(pairing),
      registrationBind({ ...tenant, sessionId: 'aa', challengeNonce: '1' }),
      verifyBind({ ...verify, tenantId: 't2' }),
      verifyBind({ ...verify, environment: 'test' }),
      verifyBind({ ...verify, nonce: 'ab' }),
      verifyBind({ ...verify, timestampMs: 2 }),
      pairingBind({ ...pairing, sessionId: 'ab' }),
      pairingBind({ ...pairing, nonce: '2' }),
      pairingBind({ ...pairing, matchCode: '07' }),
      pairingBind({ ...pairing, matchCode: '70' }),
    ];
    expect(new Set(values).size).toBe(values.length);
  });

  it('is never the same for two purposes, whatever their fields are', () => {
    const text = fc.stringMatching(/^[a-z0-9:-]{1,20}$/);
    // Short texts, so that fields of different purposes are often the same.
    const short = fc.constantFrom('a', 'b', '1', 'attend', 'correct', 'decline', 'attendance-list');
    const field = fc.oneof(text, short);
    const names = [
      ...['tenantId', 'environment', 'nonce', 'sessionId', 'challengeNonce', 'approvalId', 'digest'],
      ...['newDid', 'newCommitment', 'did', 'revokedDid', 'recoveryId', 'aHash', 'browserId', 'attachedHash'],
      ...['correctionId', 'month', 'attendanceId', 'pinHash', 'memberId'],
    ];
    const texts = fc.record(Object.fromEntries(names.map((name) => [name, field])));
    const functions = Object.entries(everything).flatMap(([name, value]) =>
      /^[a-z]+(?:[A-Z][a-z]+)*Bind$/.test(name) ? [value as (fields: object) => bigint] : [],
    );
    expect(functions.length).toBeGreaterThan(20);
    fc.assert(
      fc.property(texts, fc.nat(), (given, ms) => {
        const binds = functions.map((bind) => bind({ ...given, timestampMs: ms, decidedAtMs: ms }));
        expect(new Set(binds).size).toBe(binds.length);
      }),
    );
  });

  it('of attendance differs by every field of it', () => {
    const answer = { ...tenant, correctionId: 'aa', digest: 'bb', decidedAtMs: 1 };
    const attend = { ...tenant, nonce: 'aa', digest: 'bb' };
    const values = [
      attendBind(attend),
      attendBind({ ...attend, tenantId: 't2' }),
      attendBind({ ...attend, environment: 'test' }),
      attendBind({ ...attend, nonce: 'ab' }),
      attendBind({ ...attend, digest: 'bc' }),
      ...[correctBind, correctDeclineBind].flatMap((bind) => [
        bind(answer),
        bind({ ...answer, tenantId: 't2' }),
        bind({ ...answer, environment: 'test' }),
        bind({ ...answer, correctionId: 'ab' }),
        bind({ ...answer, digest: 'bc' }),
        bind({ ...answer, decidedAtMs: 2 }),
      ]),
      ...['2026-01', '2026-02'].map((month) => attendanceListBind({ ...verify, month })),
      ...['aa', 'ab'].map((attendanceId) => attendanceContestBind({ ...verify, attendanceId })),
      ...['aa', 'ab'].map((pinHash) => attendancePinBind({ ...verify, pinHash })),
      ...['aa', 'ab'].map((memberId) => memberLinkBind({ ...verify, memberId })),
    ];
    expect(new Set(values).size).toBe(values.length);
  });

  it('ignores the case of its fields', () => {
    expect(verifyBind({ ...verify, nonce: 'AA', tenantId: 'T1' })).toBe(verifyBind(verify));
  });

  it.each(['a|b', '|', '', '\u00e9', 'a\n', 'a\u0000', '\u017f', '\u212a'])(
    'rejects the field %j',
    (field) => {
      expect(() => verifyBind({ ...verify, nonce: field })).toThrow(TypeError);
      expect(() => pairingBind({ ...pairing, sessionId: field })).toThrow(TypeError);
      expect(() => pairingDeclineBind({ ...pairing, nonce: field })).toThrow(TypeError);
      expect(() => registrationBind({ ...tenant, sessionId: 'a', challengeNonce: field })).toThrow(TypeError);
      expect(() => verifyBind({ ...verify, environment: field })).toThrow(TypeError);
    },
  );

  it.each([1.5, -1, Number.NaN, 1e21, 1e16, '01', '1e3', '', '2026-01-01T00:00:00Z', ' 1'])(
    'rejects the timestamp %j',
    (timestampMs) => {
      expect(() => verifyBind({ ...verify, timestampMs })).toThrow(TypeError);
    },
  );

  it.each([0, 7, 1_767_225_600_000, 8_640_000_000_000_000])(
    'accepts %i as a number and as decimal text',
    (timestampMs) => {
      expect(verifyBind({ ...verify, timestampMs: `${timestampMs}` })).toBe(
        verifyBind({ ...verify, timestampMs }),
      );
    },
  );
});

describe('didHash', () => {
  it('lower-cases ASCII letters and no others', () => {
    expect(didHash('did:SVC:AB')).toBe(field248('did:svc:ab'));
    expect(didHash('did:svc:\u212a')).not.toBe(didHash('did:svc:k'));
  });
});

describe('boundSignal', () => {
  it.each([-1n, SCALAR_FIELD, SCALAR_FIELD + 1n])('rejects %s instead of reducing it', (value) => {
    expect(() => boundSignal(value, 1n)).toThrow(RangeError);
    expect(() => boundSignal(1n, value)).toThrow(RangeError);
  });
});

describe('a commitment in hex', () => {
  it('has one stored form and parses in any case, with or without 0x', () => {
    for (const { decimal, hex } of vectors.commitment) {
      expect(commitmentToHex(BigInt(decimal))).toBe(hex);
      for (const text of [hex, hex.toUpperCase(), `0x${hex}`, `0x${hex.toUpperCase()}`]) {
        expect(commitmentFromHex(text)).toBe(BigInt(decimal));
      }
    }
  });

  it('parses to null for anything else', () => {
    for (const text of vectors.commitmentRejected) expect(commitmentFromHex(text)).toBeNull();
    expect(commitmentFromHex('1'.repeat(50_000))).toBeNull();
    expect(commitmentFromHex(`0x0x${'1'.repeat(62)}`)).toBeNull();
  });

  it('rejects a number outside the field', () => {
    for (const value of [-1n, SCALAR_FIELD]) expect(() => commitmentToHex(value)).toThrow(RangeError);
  });
});

describe('a phone identity', () => {
  it('commits to 248-bit secrets, derives its DID from the commitment, and is different each time', () => {
    const identities = Array.from({ length: 8 }, createIdentity);
    for (const { biometricSecret, salt, commitment, did } of identities) {
      expect(biometricSecret < 1n << 248n && salt < 1n << 248n).toBe(true);
      expect(commitmentFromHex(commitment)).toBe(poseidon2(biometricSecret, salt));
      expect(did).toBe(`did:svc:${createHash('sha256').update(commitment).digest('hex')}`);
    }
    const secrets = identities.flatMap(({ biometricSecret, salt }) => [biometricSecret, salt]);
    expect(new Set(secrets).size).toBe(16);
    // All sixteen below 2^240 happens once in 2^128 runs.
    expect(secrets.some((secret) => secret >= 1n << 240n)).toBe(true);
  });
});
