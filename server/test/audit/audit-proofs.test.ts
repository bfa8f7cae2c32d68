import { createPublicKey, verify } from 'node:crypto';
import { createRequire } from 'node:module';
import { verifyConsistency } from '@svc/zk/approvals/merkle';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signNext } from '../../src/features/audit/tree/signing.js';
import { addRows, hexBytes, isIncluded, rowHashes } from '../support/audit-trees.js';
import { type Account, type Service, startService } from '../support/service.js';

/** The checks of Sigstore's clients: another implementation of notes and proofs. */
const load = createRequire(import.meta.url);
const { verifyCheckpoint } = load('@sigstore/verify/dist/tlog/checkpoint.js') as {
  verifyCheckpoint(
    entry: object,
    tlogs: readonly object[],
  ): { origin: string; logSize: bigint; logHash: Buffer };
};
const { verifyMerkleInclusion } = load('@sigstore/verify/dist/tlog/merkle.js') as {
  verifyMerkleInclusion(entry: object, checkpoint: object): void;
};

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

const get = (path: string, as = account.key) => service.call('GET', `/v1/audit/${path}`, { as });
const scopeOf = ({ tenantId }: Account, environment: 'live' | 'test' = 'live') => ({ tenantId, environment });
const addUser = (as = account.key) => service.call('POST', '/v1/users', { as, body: { fullName: 'Ada' } });
const keyOf = (hex: string) =>
  createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(hex, 'hex')]),
    format: 'der',
    type: 'spki',
  });

describe('GET /v1/audit/proof', () => {
  it('proves an entry, in a tree that is signed with the key of the chain’s head [audit/proofs] [GET /v1/audit/proof]', async () => {
    await addUser();
    const listed = (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body;
    const entry = listed.audit[0];
    const { status, body } = await get(`proof?seq=${entry.seq}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ tenantId: account.tenantId, environment: 'live', seq: entry.seq });
    expect(body).toMatchObject({
      size: body.tree.size,
      publicKey: listed.head.publicKey,
      checkpointKey: null,
    });
    expect(isIncluded(entry.hash, body, hexBytes(body.tree.root))).toBe(true);
    expect(body.tree.hash).toBe(listed.head.hash);
    const { size, root, hash, at, signature } = body.tree;
    const text = `svc-audit-tree-v1|${account.tenantId}|live|${size}|${root}|${hash}|${Date.parse(at)}`;
    const isSigned = (of: string) =>
      verify(null, Buffer.from(of), keyOf(body.publicKey), Buffer.from(signature, 'hex'));
    expect(isSigned(text)).toBe(true);
    expect(isSigned(text.replace('|live|', '|test|'))).toBe(false);
  });

  it('proves an entry in an earlier tree, and that the newest one extends it [audit/proofs] [GET /v1/audit/consistency]', async () => {
    const earlier = (await get('proof?seq=1')).body.tree;
    for (let users = 0; users < 5; users += 1) await addUser();
    const hashes = await rowHashes(service.db, scopeOf(account));
    const proof = (await get(`proof?seq=1&size=${earlier.size}`)).body;
    expect(proof.size).toBe(earlier.size);
    expect(isIncluded(hashes[0] as string, proof, hexBytes(earlier.root))).toBe(true);
    const newest = (await get(`proof?seq=${hashes.length}`)).body.tree;
    const { status, body } = await get(`consistency?from=${earlier.size}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ from: earlier.size, to: newest.size, tree: newest });
    const consistency = {
      from: body.from,
      to: body.to,
      fromRoot: hexBytes(earlier.root),
      toRoot: hexBytes(newest.root),
      proof: body.consistency.map(hexBytes),
    };
    expect(verifyConsistency(consistency)).toBe(true);
    expect(verifyConsistency({ ...consistency, fromRoot: hexBytes(newest.root) })).toBe(false);
    expect((await get(`consistency?from=${newest.size}&to=${newest.size}`)).body.consistency).toEqual([]);
  });

  it('proves the newest entry by default, in a tree that has all of them [audit/proofs] [approvals/what-a-checker-keeps]', async () => {
    await addUser();
    const { seq } = (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body.head;
    expect((await get('proof')).body).toMatchObject({ seq, size: seq, tree: { size: seq } });
    expect((await get(`proof?size=${seq - 1}`)).body).toMatchObject({ seq: seq - 1, size: seq - 1 });
    const own = await service.signUp();
    const empty = await service.call('GET', '/v1/audit/proof?environment=test', { session: own.token });
    expect([empty.status, empty.body.error]).toEqual([404, 'not_found']);
  });

  it('returns 400 about the field for numbers that are not in the chain [audit/proofs]', async () => {
    const { size } = (await get('proof?seq=1')).body.tree;
    const beyond = `is larger than the signed tree, which has ${size} entries`;
    for (const [path, field, message] of [
      ['proof?seq=0', 'query.seq', /./],
      ['proof?seq=1.5', 'query.seq', /./],
      ['proof?seq=9007199254740993', 'query.seq', /./],
      [`proof?seq=${size + 1}`, 'query.seq', beyond],
      ['proof?seq=3&size=2', 'query.seq', 'is larger than size'],
      [`proof?seq=1&size=${size + 1}`, 'query.size', beyond],
      ['consistency?from=0', 'query.from', /./],
      ['consistency?from=3&to=2', 'query.from', 'is larger than to'],
      [`consistency?from=1&to=${size + 1}`, 'query.to', beyond],
      [`consistency?from=${size + 1}`, 'query.from', beyond],
    ] as const) {
      const { status, body } = await get(path);
      expect(status, path).toBe(400);
      expect(body, path).toMatchObject({ error: 'invalid_request' });
      expect(body.details[0].path, path).toBe(field);
      expect(body.details[0].message, path).toMatch(message);
    }
  });

  it('knows only the chain of the credential: its account and environment, by key and in the dashboard [audit/proofs]', async () => {
    const other = await service.signUp();
    const testKey = await service.createKey(account, 'test');
    await addUser(testKey);
    const live = await rowHashes(service.db, scopeOf(account));
    const inTest = (await get('proof?seq=1', testKey)).body;
    expect(inTest).toMatchObject({ environment: 'test', size: 2 });
    expect(
      isIncluded(
        (await rowHashes(service.db, scopeOf(account, 'test')))[0] as string,
        inTest,
        hexBytes(inTest.tree.root),
      ),
    ).toBe(true);
    const foreign = (await get('proof?seq=1', other.key)).body;
    expect(isIncluded(live[0] as string, foreign, hexBytes(foreign.tree.root))).toBe(false);
    expect((await get(`proof?seq=${live.length}`, other.key)).status).toBe(400);
    const session = { session: account.token };
    const path = '/v1/audit/proof?seq=1&environment=';
    expect((await service.call('GET', `${path}test`, session)).body).toEqual(inTest);
    expect((await service.call('GET', `${path}live`, session)).body.environment).toBe('live');
    const limited = await service.createKey(account, 'live', ['users:read']);
    for (const of of ['proof?seq=1', 'consistency?from=1', 'checkpoint'])
      expect((await get(of, limited)).body.error).toBe('insufficient_scopes');
  });
});

describe('GET /v1/audit/checkpoint', () => {
  it('is a signed note that another implementation accepts, with the root of the proofs [audit/checkpoints] [GET /v1/audit/checkpoint]', async () => {
    const own = await service.signUp({ plan: 'enterprise' });
    await addRows(service.db, scopeOf(own), 700, service.clock.now());
    await signNext(service.app.deps, [scopeOf(own)]);
    expect((await get('checkpoint', own.key)).body).toMatchObject({ error: 'endpoint_disabled' });
    const body = { security_policy: { audit_checkpoint: true } };
    await service.call('PUT', '/api/console/security-policy', { as: own.token, body });
    const proof = (await get('proof?seq=500', own.key)).body;
    const reply = await get('checkpoint', own.key);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(reply.headers['cache-control']).toBe('no-store');

    // The base64 of a key may contain a plus sign.
    const [origin = '', id = '', ...key] = proof.checkpointKey.split('+');
    const encoded = Buffer.from(key.join('+'), 'base64');
    expect([encoded.length, encoded[0]]).toEqual([33, 1]);
    expect(origin).toMatch(/^localhost:3000\/[0-9a-f]{64}$/);
    expect(origin).not.toContain(own.tenantId);
    const log = {
      logID: Buffer.from(id, 'hex'),
      publicKey: keyOf(encoded.subarray(1).toString('hex')),
      baseURL: origin,
    };
    const rows = await rowHashes(service.db, scopeOf(own));
    const entryOf = (envelope: string) => ({
      canonicalizedBody: Buffer.from(rows[499] as string, 'hex'),
      inclusionProof: {
        checkpoint: { envelope },
        logIndex: '499',
        treeSize: String(proof.size),
        rootHash: hexBytes(proof.tree.root),
        hashes: proof.inclusion.map((each: string) => Buffer.from(each, 'hex')),
      },
    });
    const checkpoint = verifyCheckpoint(entryOf(reply.text), [log]);
    expect(checkpoint.origin).toBe(origin);
    expect(Number(checkpoint.logSize)).toBe(proof.tree.size);
    expect(checkpoint.logHash.toString('hex')).toBe(proof.tree.root);
    verifyMerkleInclusion(entryOf(reply.text), checkpoint);

    const wrong = reply.text.replace(`\n${proof.tree.size}\n`, `\n${proof.tree.size + 1}\n`);
    expect(() => verifyCheckpoint(entryOf(wrong), [log])).toThrow('invalid checkpoint signature');
  });

  it('names another log in each account and environment, and is 404 before the first entry [audit/checkpoints]', async () => {
    const [one, two] = [await service.signUp(), await service.signUp()];
    const body = { security_policy: { audit_checkpoint: true } };
    for (const each of [one, two])
      await service.call('PUT', '/api/console/security-policy', { as: each.token, body });
    const originOf = async (as: string) => (await get('checkpoint', as)).text.split('\n')[0];
    const empty = await service.call('GET', '/v1/audit/checkpoint?environment=test', { session: one.token });
    expect(empty.body).toMatchObject({ error: 'not_found' });
    const testKey = await service.createKey(one, 'test');
    const origins = [await originOf(one.key), await originOf(two.key), await originOf(testKey)];
    expect(new Set(origins).size).toBe(3);
  });
});
