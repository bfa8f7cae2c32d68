// @module-tag if-touched @proofs: compiles every kernel
import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Kernel, KernelUnusableError } from '../../src/kernel/kernel.js';
import { bytesOf, startKernel } from '../../src/kernel/load.js';
import { loadPinnedKey } from '../../src/setup/artifacts.js';
import { createVerifier } from '../../src/verifier/create-verifier.js';
import { webAssembly } from '../../src/web-assembly.js';
import { kernels, verifierKernels } from '../support/kernels.js';
import { sampleParsed } from '../support/support.js';
import { mutantsOf } from '../support/wasm-mutants.js';

const { vkey } = loadPinnedKey();
const proof = sampleParsed();
const hasFma = kernels.some(([name]) => name === 'fma');

afterEach(() => vi.restoreAllMocks());

/** The flags of another process. Node 20 has relaxed SIMD behind a flag. */
const flagsWith = (...flags: string[]) =>
  process.versions.node.startsWith('20.') ? ['--experimental-wasm-relaxed-simd', ...flags] : flags;

const CHOOSE = `
  const { createVerifier } = await import('@svc/zk/verifier/create-verifier');
  const { loadPinnedKey } = await import('@svc/zk/setup/artifacts');
  const { parseProof } = await import('@svc/zk/verifier/proof');
  const { readFileSync } = await import('node:fs');
  const published = JSON.parse(readFileSync('zk/test-vectors.json', 'utf8')).proof;
  const { parsed } = parseProof(published.proof, published.publicSignals);
  const invalid = { ...parsed, signals: [1n, parsed.signals[1], parsed.signals[2]] };
  try {
    const { kernel, unusable, verify, verifyBatch } = await createVerifier(loadPinnedKey().vkey, FORCED);
    const verdicts = [verify(parsed), verify(invalid), ...verifyBatch([parsed, invalid, parsed])];
    console.log(JSON.stringify({ kernel, unusable: unusable.map(({ message }) => message), verdicts }));
  } catch (error) {
    console.log(JSON.stringify({ error: error.message }));
  }
`;

/** What a process with these V8 flags chooses, and its verdicts. */
function chosenWith(flags: readonly string[], forced?: string) {
  const script = CHOOSE.replace('FORCED', JSON.stringify(forced) ?? 'undefined');
  const output = execFileSync(process.execPath, [...flags, '--input-type=module', '-e', script], {
    cwd: new URL('../../../', import.meta.url),
    encoding: 'utf8',
  });
  return JSON.parse(output) as {
    kernel?: string;
    unusable?: string[];
    verdicts?: boolean[];
    error?: string;
  };
}
const RIGHT = [true, false, true, false, true];

describe('the choice of a kernel', () => {
  it('falls on the fastest kernel that works on this machine', async () => {
    expect(await createVerifier(vkey)).toMatchObject({ kernel: verifierKernels[0], unusable: [] });
  });

  it('is the scalar kernel in a runtime without relaxed SIMD', async () => {
    vi.spyOn(webAssembly, 'validate').mockReturnValueOnce(false);
    const { kernel, unusable } = await createVerifier(vkey);
    expect(kernel).toBe('scalar');
    expect(unusable.map(({ message, isWrong }) => [message, isWrong])).toEqual([
      ['The fma kernel is unusable: this runtime has no relaxed SIMD.', false],
    ]);
  });

  it.runIf(hasFma)('is the scalar kernel on hardware without a fused multiply-add', () => {
    expect(chosenWith(flagsWith('--no-enable-fma3'))).toEqual({
      kernel: 'scalar',
      unusable: ['The fma kernel is unusable: this machine has no fused multiply-add.'],
      verdicts: RIGHT,
    });
  });

  it('is mcl if no kernel gives the known answers', async () => {
    vi.spyOn(Kernel.prototype, 'verify').mockReturnValue({ valid: true, outside: [] });
    const { kernel, unusable, verify } = await createVerifier(vkey);
    expect([kernel, unusable.map(({ isWrong }) => isWrong)]).toEqual(['mcl', [true, true]]);
    expect(verify(proof)).toBe(true);
  });

  it.each(verifierKernels)('is %s if that is forced', async (name) => {
    expect(await createVerifier(vkey, name)).toMatchObject({ kernel: name, unusable: [] });
  });

  it('fails if the forced kernel does not work here', async () => {
    vi.spyOn(webAssembly, 'validate').mockReturnValue(false);
    await expect(createVerifier(vkey, 'fma')).rejects.toThrow(KernelUnusableError);
  });

  it('fails clearly if there is no memory for a kernel', () => {
    // 20 pages are 1.25 MB. Kernels need about 2 MB, and mcl more.
    const { error, kernel } = chosenWith(['--wasm-max-mem-pages=20']);
    expect(kernel).toBeUndefined();
    expect(error).toMatch(/memory/i);
  });
});

describe.each(kernels)('the %s kernel', (name) => {
  it.each(['--liftoff-only', '--no-liftoff'])('gives the same verdicts under V8’s %s', (flag) => {
    expect(chosenWith(flagsWith(flag), name)).toEqual({ kernel: name, unusable: [], verdicts: RIGHT });
  });

  it('never grows its memory', async () => {
    const kernel = await startKernel(name, await bytesOf(name), vkey);
    const before = kernel.exports.memory.buffer.byteLength;
    const factors = crypto.getRandomValues(new BigUint64Array(128));
    expect(
      kernel.verifyBatch(
        Array.from({ length: 64 }, () => proof),
        factors,
      ).valid,
    ).toBe(true);
    expect(kernel.exports.memory.buffer.byteLength).toBe(before);
    expect(() => (kernel.exports.memory as unknown as { grow(pages: number): void }).grow(1)).toThrow(
      RangeError,
    );
  });

  it('is not used if it gives a wrong answer, traps or is no module', async () => {
    const bytes = await bytesOf(name);
    const faulty = mutantsOf(bytes, 1).find(({ func }) => func > 2)?.bytes ?? bytes;
    await expect(startKernel(name, faulty, vkey)).rejects.toMatchObject({ isWrong: true });
    vi.spyOn(Kernel.prototype, 'prepare').mockImplementation(() => {
      throw new Error('unreachable');
    });
    await expect(startKernel(name, bytes, vkey)).rejects.toMatchObject({ isWrong: true });
    await expect(startKernel(name, bytes.subarray(0, 100), vkey)).rejects.toMatchObject({ isWrong: false });
  });
});
