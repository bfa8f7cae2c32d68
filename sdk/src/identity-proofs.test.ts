import { readFileSync } from 'node:fs';
import { attachedHash } from '@svc/zk/attestation';
import { approveBind, approveDeclineBind, attestBind } from '@svc/zk/field';
import { describe, expect, it } from 'vitest';
import vectors from '../../zk/test-vectors.json' with { type: 'json' };
import type { PhoneAddition } from './generated/api.js';
import { identityProofs, type PhoneUse } from './identity-proofs.js';
import { commitToIdentity, digitsToExpect, digitsToShow } from './phone/digits.js';
import { createRandom } from './phone/random.js';
import { type ApprovalStatement, createIdentity, type PhoneIdentity, renewIdentity } from './prover.js';

const [{ fields }] = vectors.addBind as [(typeof vectors.addBind)[number]];
const use: PhoneUse = {
  tenantId: fields.tenantId,
  environment: fields.environment as 'live',
  nonce: fields.nonce,
  timestamp: fields.timestampMs,
};
const [{ fields: joinFields }] = vectors.joinBind as [(typeof vectors.joinBind)[number]];
const old: PhoneIdentity = { ...createIdentity(), did: joinFields.did };
const joining: PhoneIdentity = { ...createIdentity(), did: fields.newDid, commitment: fields.newCommitment };

/** Returns the bind instead of a signal. */
const prover = identityProofs(async ({ commitment }, bind) => ({
  proof: {} as never,
  publicSignals: [commitment, String(bind), '0'],
}));
const bindOf = ({ publicSignals }: { readonly publicSignals: readonly string[] }) => publicSignals[1];
const own = { did: old.did, ...use, proof: {} };

describe('the proofs about identities', () => {
  it('are bound as in the published vectors, and have the fields that the service accepts', async () => {
    const joined = await prover.proveJoin(joining, use, old.did);
    expect(joined.newPublicSignals[1]).toBe(vectors.joinBind[0]?.value);
    expect(joined).toMatchObject({ newDid: joining.did, newCommitment: joining.commitment, newProof: {} });
    const added = await prover.proveAdd(old, use, joined);
    expect(bindOf(added)).toBe(vectors.addBind[0]?.value);
    expect(added).toEqual({ ...own, publicSignals: added.publicSignals, ...joined });
    const [{ a, value: aHash }] = vectors.hashOfA as [(typeof vectors.hashOfA)[number]];
    const opening = await prover.proveRendezvous(old, use, a);
    expect(bindOf(opening)).toBe(vectors.rendezvousBind[0]?.value);
    expect(opening).toEqual({ ...own, publicSignals: opening.publicSignals, aHash });
    const revoking = await prover.proveRevoke(old, use, joining.did);
    expect(bindOf(revoking)).toBe(vectors.revokeBind[0]?.value);
    expect(revoking.revoke).toBe(joining.did);
    expect(bindOf(await prover.proveIdentities(old, use))).toBe(vectors.identitiesBind[0]?.value);
    const [{ fields: contested, value }] = vectors.contestBind as [(typeof vectors.contestBind)[number]];
    const { recoveryId } = contested;
    const contest = await prover.proveContest(old, use, recoveryId);
    expect(bindOf(contest)).toBe(value);
    expect(contest.recoveryId).toBe(recoveryId);
  });

  it('about browsers are bound as in the published vectors', async () => {
    const listing = await prover.proveBrowsers(old, use);
    expect(bindOf(listing)).toBe(vectors.browsersBind[0]?.value);
    expect(listing).toEqual({ ...own, publicSignals: listing.publicSignals });
    const [{ fields: forgotten, value }] = vectors.forgetBrowserBind as [
      (typeof vectors.forgetBrowserBind)[number],
    ];
    const { browserId } = forgotten;
    const forgetting = await prover.proveForgetBrowser(old, use, browserId);
    expect(bindOf(forgetting)).toBe(value);
    expect(forgetting).toEqual({ ...own, publicSignals: forgetting.publicSignals, browserId });
  });

  it('enrol exactly this passkey, and have the fields that the service accepts', async () => {
    const assertion = { authenticatorData: 'AA', clientDataJSON: 'AA', signature: 'AA' };
    const evidence = { attestationObject: 'AA', clientDataJSON: 'AA', assertion };
    const { tenantId, environment } = use;
    const sent = await prover.proveAttestation(old, use, { challenge: 'c', platform: 'webauthn', evidence });
    const hash = attachedHash('c', evidence);
    expect(bindOf(sent)).toBe(String(attestBind({ tenantId, environment, attachedHash: hash })));
    expect(sent).toEqual({
      ...{ tenantId, environment, did: old.did, challenge: 'c', platform: 'webauthn', evidence },
      ...{ proof: {}, publicSignals: sent.publicSignals },
    });
  });

  it('replace a secret: the old one names the new commitment, and the new one the DID that stays', async () => {
    const renewed = { ...joining, did: old.did };
    const rotation = await prover.proveRotate(old, renewed, use);
    expect(bindOf(rotation)).toBe(vectors.rotateBind[0]?.value);
    expect(rotation.newPublicSignals[1]).toBe(vectors.joinBind[0]?.value);
    expect(rotation).toEqual({
      ...own,
      publicSignals: rotation.publicSignals,
      newCommitment: joining.commitment,
      newProof: {},
      newPublicSignals: rotation.newPublicSignals,
    });
  });

  it('never contain the secret', async () => {
    const joined = await prover.proveJoin(joining, use, old.did);
    const sent = JSON.stringify([
      joined,
      await prover.proveAdd(old, use, joined),
      await prover.proveRotate(old, renewIdentity(old), use),
      await prover.proveRevoke(old, use, old.did),
      await prover.proveIdentities(old, use),
    ]);
    for (const { biometricSecret, salt } of [old, joining])
      for (const secret of [biometricSecret, salt]) expect(sent).not.toContain(String(secret));
  });
});

describe('the proofs about approvals', () => {
  const approvals = JSON.parse(
    readFileSync(new URL('../../docs/vectors/approvals.json', import.meta.url), 'utf8'),
  ) as Record<'good' | 'bad', { name: string; statement: ApprovalStatement; digest: string }[]>;
  const [{ statement: good, digest }] = approvals.good as [(typeof approvals.good)[number]];
  const { tenantId, environment, approvalId } = good;
  const decidedAt = Date.parse(good.createdAt) + 1_000;
  const fields = { tenantId, environment, approvalId, digest, decidedAtMs: decidedAt };

  it('list what waits as in the published vector', async () => {
    const inbox = await prover.proveInbox(old, use);
    expect(bindOf(inbox)).toBe(vectors.inboxBind[0]?.value);
    expect(inbox).toEqual({ ...own, publicSignals: inbox.publicSignals });
  });

  it('are bound to the digest of the statement, the decision, the number and the reason', async () => {
    const approved = await prover.proveDecision(old, good, {
      decision: 'approve',
      decidedAt,
      matchCode: '07',
    });
    expect(bindOf(approved)).toBe(String(approveBind({ ...fields, matchCode: '07' })));
    expect(approved).toEqual({
      ...{ approvalId, did: old.did, decision: 'approve', digest, decidedAt, matchCode: '07' },
      ...{ proof: {}, publicSignals: approved.publicSignals },
    });
    const declined = await prover.proveDecision(old, good, {
      decision: 'decline',
      decidedAt,
      reason: 'not_me',
    });
    expect(bindOf(declined)).toBe(String(approveDeclineBind({ ...fields, reason: 'not_me' })));
    expect(declined).toMatchObject({ decision: 'decline', reason: 'not_me', digest });
    expect(declined).not.toHaveProperty('matchCode');
  });

  it('are of what the phone showed: another text has another proof', async () => {
    const other = { ...good, action: { ...good.action, title: 'Pay two invoices' } };
    const [one, two] = [
      await prover.proveDecision(old, good, { decision: 'approve', decidedAt }),
      await prover.proveDecision(old, other, { decision: 'approve', decidedAt }),
    ];
    expect(two.digest).not.toBe(one.digest);
    expect(bindOf(two)).not.toBe(bindOf(one));
  });

  it.each(approvals.bad)('are not made of a statement that nobody may show: $name', async ({ statement }) => {
    const choice = { decision: 'approve', decidedAt } as const;
    await expect(prover.proveDecision(old, statement, choice)).rejects.toThrow();
  });
});

describe('a renewed identity', () => {
  it('has the DID of the old one, and another secret and commitment', () => {
    const renewed = renewIdentity(old);
    expect(renewed.did).toBe(old.did);
    for (const name of ['commitment', 'biometricSecret', 'salt'] as const)
      expect(renewed[name]).not.toBe(old[name]);
  });
});

describe('the digits', () => {
  const [a, b] = [createRandom(), createRandom()];
  const c = commitToIdentity(joining, b);
  const addition = {
    id: '019dcc12-3fc0-7b2e-8d41-6a9e0c5f7b28',
    newDid: joining.did,
    newCommitment: joining.commitment,
    b,
  } as PhoneAddition;
  const expected = (changes: Partial<PhoneAddition> = {}) =>
    digitsToExpect({ ...addition, ...changes }, { did: old.did, a, c });

  it('are the same on both phones', () => {
    expect([a, b].every((random) => /^[0-9a-f]{64}$/.test(random))).toBe(true);
    const shown = digitsToShow(joining, { id: addition.id, did: old.did, a, b });
    expect(shown).toMatch(/^[0-9]{6}$/);
    expect(expected()).toBe(shown);
    // The old phone does not take its own values from the service.
    expect(expected({ a: createRandom(), c: createRandom(), did: 'did:svc:00' })).toBe(shown);
  });

  it('are not computed from an opening that the new phone had not committed to', () => {
    const other = createIdentity();
    for (const changes of [
      { b: createRandom() },
      { newDid: other.did },
      { newCommitment: other.commitment },
      { b: null },
      { newDid: null },
      { newCommitment: null },
    ])
      expect(expected(changes)).toBeUndefined();
  });
});
