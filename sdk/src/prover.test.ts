// @module-tag if-touched sdk/ examples/ contract/ zk/src/: makes real proofs
import { boundSignal, didHash, pairingBind, pairingDeclineBind } from '@svc/zk/field';
import { readZkey } from '@svc/zk/prover/zkey';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostileFiles } from '../../zk/test/support/hostile-circuit.js';
import { artifact, sha256Of } from '../../zk/test/support/support.js';
import { type HostileService, hostileService } from '../test/hostile-service.js';
import { formatPairingCode } from './codecs/pairing-code.js';
import { type Artifacts, createIdentity, createProver, fetchArtifacts } from './prover.js';
import { Svc } from './sdk.js';

const ours = { wasm: new Uint8Array(artifact('wasm')), zkey: new Uint8Array(artifact('zkey')) };
const vkey = artifact('vkey').toString('utf8');
const expecting = ({ wasm, zkey }: Artifacts) => ({
  wasmSha256: sha256Of(wasm),
  zkeySha256: sha256Of(zkey),
  vkey,
});
const challenge = { nonce: 'n', timestamp: 1, tenantId: 't', environment: 'live' as const };

/** A client of a service that has only circuit-info and the files. */
function clientOf(paths: { wasmPath: string; zkeyPath: string }, files: typeof ours): Svc {
  const reply = (url: URL) => {
    const path = url.pathname + url.search;
    if (path === '/v1/auth/zkp/circuit-info') return Response.json(paths);
    return new Response(Uint8Array.from(path === paths.wasmPath ? files.wasm : files.zkey));
  };
  return new Svc({
    baseUrl: 'https://a.test',
    apiKey: `svc_live_${'a'.repeat(48)}`,
    maxRetries: 0,
    fetch: async (request) => reply(new URL(String(request))),
  });
}

describe('a service with a circuit that leaks the secret', () => {
  let service: HostileService;
  let svc: Svc;
  beforeAll(async () => {
    service = await hostileService();
    svc = new Svc({ baseUrl: service.url, apiKey: `svc_live_${'a'.repeat(48)}`, maxRetries: 0 });
  });
  afterAll(() => service.close());

  it('cannot have its files downloaded', async () => {
    await expect(fetchArtifacts(svc)).rejects.toMatchObject({ code: 'circuit_not_pinned' });
    const expected = expecting(ours);
    await expect(fetchArtifacts(svc, { expected })).rejects.toMatchObject({ code: 'circuit_not_pinned' });
  });

  it('cannot have its files used, wherever the phone got them', async () => {
    const hostile = await hostileFiles();
    for (const files of [hostile, { ...ours, wasm: hostile.wasm }, { ...ours, zkey: hostile.zkey }])
      await expect(createProver(files)).rejects.toMatchObject({ code: 'circuit_not_pinned' });
    // The hashes of the hostile files with the public verification key.
    const expected = {
      ...expecting(ours),
      wasmSha256: sha256Of(hostile.wasm),
      zkeySha256: sha256Of(hostile.zkey),
    };
    await expect(createProver(hostile, { expected })).rejects.toMatchObject({ code: 'circuit_not_pinned' });
  });
});

describe('the files of the circuit', () => {
  const named = {
    wasmPath: `/a.wasm?v=${sha256Of(ours.wasm).slice(0, 16)}`,
    zkeyPath: `/a.zkey?v=${sha256Of(ours.zkey).slice(0, 16)}`,
  };

  it.each([
    ['with a version', named],
    ['of an older server, without a version', { wasmPath: '/a.wasm', zkeyPath: '/a.zkey' }],
    ['with a wrong version', { wasmPath: '/a.wasm?v=0', zkeyPath: '/a.zkey?v=0' }],
  ])('are accepted from any path: %s', async (_, paths) => {
    expect(expecting(await fetchArtifacts(clientOf(paths, ours)))).toEqual(expecting(ours));
  });

  it('have another error if they were truncated than if they belong to another circuit', async () => {
    const cut = { ...ours, zkey: ours.zkey.subarray(1) };
    await expect(fetchArtifacts(clientOf(named, cut))).rejects.toMatchObject({ code: 'connection_cut' });
    const unnamed = clientOf({ wasmPath: '/a.wasm', zkeyPath: '/a.zkey' }, cut);
    await expect(fetchArtifacts(unnamed)).rejects.toMatchObject({ code: 'circuit_not_pinned' });
  });

  it('of the service’s own ceremony are accepted if the caller expects them', async () => {
    // The last bytes of a proving key are the record of its contributions.
    const files = { ...ours, zkey: ours.zkey.with(-1, ours.zkey.at(-1)! ^ 1) };
    const expected = expecting(files);
    const svc = clientOf({ wasmPath: '/a.wasm', zkeyPath: '/a.zkey' }, files);
    await expect(fetchArtifacts(svc)).rejects.toMatchObject({ code: 'circuit_not_pinned' });
    const prover = await createProver(await fetchArtifacts(svc, { expected }), { expected });
    expect((await prover.proveVerify(createIdentity(), challenge)).proof.protocol).toBe('groth16');
  });

  it.each([{ wasmSha256: 'a' }, { zkeySha256: 'A'.repeat(64) }, { vkey: '{}' }])(
    'are rejected if `expected` is malformed: %j',
    async (malformed) => {
      const expected = { ...expecting(ours), ...malformed };
      await expect(createProver(ours, { expected })).rejects.toMatchObject({
        code: 'invalid_options',
        message: expect.stringContaining(`expected.${Object.keys(malformed)[0]}`),
      });
    },
  );

  it('never produce a proof that does not verify', async () => {
    const zkey = ours.zkey.slice();
    // No verification key contains these points, so only the proof shows the change.
    readZkey(zkey).h.copyWithin(0, 64);
    const files = { ...ours, zkey };
    const prover = await createProver(files, { expected: expecting(files) });
    await expect(prover.proveVerify(createIdentity(), challenge)).rejects.toMatchObject({
      code: 'circuit_not_pinned',
    });
  });
});

describe('a proof for a pairing', () => {
  const enrolledAt = {
    baseUrl: 'https://a.test',
    tenantId: '019e1b2c-4321-7abc-8def-0123456789ab',
    environment: 'live' as const,
  };
  const sessionId = '019e1b2c-1234-7abc-8def-0123456789ab';
  const nonce = '0f'.repeat(31);
  const code = formatPairingCode({ ...enrolledAt, sessionId, nonce, expiresAtSeconds: 1 });
  const { tenantId, environment } = enrolledAt;
  const identity = createIdentity();

  it('is bound to the number that the person typed, and carries it', async () => {
    const prover = await createProver(ours);
    for (const number of [{}, { matchCode: '07' }]) {
      const proof = await prover.provePairing(identity, code, enrolledAt, number);
      const bind = pairingBind({ tenantId, environment, sessionId, nonce, ...number });
      expect(proof.publicSignals[1]).toBe(String(boundSignal(didHash(identity.did), bind)));
      expect(proof).toEqual({
        sessionId,
        did: identity.did,
        proof: proof.proof,
        publicSignals: proof.publicSignals,
        ...number,
      });
    }
  });

  it('is bound to declining if the person declines', async () => {
    const prover = await createProver(ours);
    const { proof, publicSignals, ...rest } = await prover.provePairingDecline(identity, code, enrolledAt);
    const bind = pairingDeclineBind({ tenantId, environment, sessionId, nonce });
    expect(publicSignals[1]).toBe(String(boundSignal(didHash(identity.did), bind)));
    expect({ ...rest, proof }).toEqual({ sessionId, did: identity.did, proof });
    const elsewhere = { ...enrolledAt, environment: 'test' as const };
    await expect(prover.provePairingDecline(identity, code, elsewhere)).rejects.toMatchObject({
      code: 'foreign_code',
    });
  });
});
