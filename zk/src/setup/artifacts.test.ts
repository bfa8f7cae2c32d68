import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromNobleG2, randomTwistPoint, seededRandom } from '../../test/support/support.js';
import { G2_GENERATOR } from '../curve/bn254.js';
import { parseVerificationKey } from '../verifier/verification-key.js';
import type { AffineG2 } from '../wire.js';
import {
  artifactFiles,
  artifactsFolder,
  CIRCUIT,
  CIRCUIT_VERSION,
  hasContributors,
  loadPinnedKey,
  PinnedKeyError,
} from './artifacts.js';
import { PINNED_SETUPS, type PinnedSetup } from './pinned-setups.js';

const vkeyText = readFileSync(join(artifactsFolder, artifactFiles.vkey), 'utf8');
type Vkey = Record<string, unknown> & { IC: string[][] };
/** The committed key with some fields replaced. */
const vkeyWith = (change: (vkey: Vkey) => object): string => {
  const vkey = JSON.parse(vkeyText) as Vkey;
  return JSON.stringify({ ...vkey, ...change(vkey) });
};
const g2Json = (point: AffineG2): string[][] => [...point.map((pair) => pair.map(String)), ['1', '0']];

const failedCheck = (load: () => unknown): string => {
  try {
    load();
  } catch (error) {
    if (error instanceof PinnedKeyError) return error.check;
    throw error;
  }
  return 'none';
};

describe('the pinned key at boot', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'artifacts-'));
    cpSync(artifactsFolder, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const rewrite = (name: string, change: (text: string) => string): void => {
    writeFileSync(join(folder, name), change(readFileSync(join(folder, name), 'utf8')));
  };

  it('is the committed key', () => {
    const key = loadPinnedKey();
    expect(loadPinnedKey(folder).sha256).toBe(key.sha256);
    expect(PINNED_SETUPS.length).toBeLessThanOrEqual(2);
    expect([key.circuit, key.circuitVersion]).toEqual([CIRCUIT, CIRCUIT_VERSION]);
    expect(key.hashes.vkey).toBe(key.sha256);
    expect(key.setup).toEqual({ kind: 'development', contributors: 1 });
    for (const [role, sha256] of Object.entries(key.hashes)) {
      const bytes = readFileSync(join(artifactsFolder, artifactFiles[role as keyof typeof artifactFiles]));
      expect(createHash('sha256').update(bytes).digest('hex'), role).toBe(sha256);
    }
  });

  it('comes with the pinned wasm and zkey, even if the manifest lists others', () => {
    const manifest = readFileSync(join(folder, artifactFiles.manifest), 'utf8');
    for (const role of ['wasm', 'zkey'] as const) {
      const file = join(folder, artifactFiles[role]);
      const bytes = readFileSync(file);
      const changed = Buffer.concat([bytes, Buffer.from([0])]);
      writeFileSync(file, changed);
      expect(failedCheck(() => loadPinnedKey(folder))).toBe('artifact');
      const sha256 = createHash('sha256').update(changed).digest('hex');
      rewrite(artifactFiles.manifest, (text) => text.replace(loadPinnedKey().hashes[role], sha256));
      expect(failedCheck(() => loadPinnedKey(folder))).toBe('manifest');
      writeFileSync(join(folder, artifactFiles.manifest), manifest);
      rmSync(file);
      expect(failedCheck(() => loadPinnedKey(folder))).toBe('missing');
      writeFileSync(file, bytes);
    }
    expect(failedCheck(() => loadPinnedKey(folder))).toBe('none');
  });

  it('must exist', () => {
    rmSync(join(folder, artifactFiles.vkey));
    expect(failedCheck(() => loadPinnedKey(folder))).toBe('missing');
    expect(failedCheck(() => loadPinnedKey('/nowhere'))).toBe('missing');
  });

  it.each([
    ['reformatted', (text: string) => JSON.stringify(JSON.parse(text))],
    ['given Windows line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['given a space', (text: string) => `${text} `],
    ['emptied', () => ''],
    ['of another set-up', (text: string) => text.replace(/\d{20}/, '1'.repeat(20))],
  ])('must not be %s', (_, change) => {
    rewrite(artifactFiles.vkey, change);
    expect(failedCheck(() => loadPinnedKey(folder))).toBe('sha256');
  });

  it('must belong to the pinned circuit and version', () => {
    rewrite(artifactFiles.manifest, (text) =>
      text.replace('"circuitVersion": "1.2"', '"circuitVersion": "1.3"'),
    );
    expect(failedCheck(() => loadPinnedKey(folder))).toBe('circuit_version');
    rewrite(artifactFiles.manifest, (text) => text.replace('1.3', '1.2').replace('identity_proof', 'other'));
    expect(failedCheck(() => loadPinnedKey(folder))).toBe('circuit_version');
  });

  it('must come with a manifest that agrees with the pin', () => {
    const original = readFileSync(join(folder, artifactFiles.manifest), 'utf8');
    for (const [bad, check] of [
      ['', 'manifest'],
      ['null', 'circuit_version'],
      ['{}', 'circuit_version'],
      [original.replace('"development"', '"trusted"'), 'manifest'],
      [original.replace('"contributors": 1', '"contributors": "1"'), 'manifest'],
      [original.replace('"setup"', '"up"'), 'manifest'],
      [original.replace('"files"', '"file"'), 'manifest'],
      [original.replace(loadPinnedKey().hashes.ptau, '0'.repeat(64)), 'manifest'],
    ] as const) {
      rewrite(artifactFiles.manifest, () => bad);
      expect(failedCheck(() => loadPinnedKey(folder))).toBe(check);
    }
    rmSync(join(folder, artifactFiles.manifest));
    expect(failedCheck(() => loadPinnedKey(folder))).toBe('missing');
  });

  it('does not count as a ceremony key just because its manifest claims one', () => {
    rewrite(artifactFiles.manifest, (text) =>
      text.replace('"development"', '"ceremony"').replace('"contributors": 1', '"contributors": 57'),
    );
    expect(() => loadPinnedKey(folder)).toThrow(/setup.kind "ceremony", but "development" is pinned/);
  });

  it('reports the set-up of its pin', () => {
    const setup = { kind: 'ceremony', contributors: 3 } as const;
    const pins = PINNED_SETUPS.map((pin): PinnedSetup => ({ ...pin, setup }));
    expect(failedCheck(() => loadPinnedKey(folder, pins))).toBe('manifest');
    rewrite(artifactFiles.manifest, (text) =>
      text.replace('"development"', '"ceremony"').replace('"contributors": 1', '"contributors": 3'),
    );
    expect(loadPinnedKey(folder, pins).setup).toEqual(setup);
  });

  it.each([
    ['development', 1, 0, true],
    ['development', 57, 1, false],
    ['ceremony', 3, 1, true],
    ['ceremony', 3, 3, true],
    ['ceremony', 3, 4, false],
    ['ceremony', 0, 1, false],
  ] as const)(
    'of a %s with %d contributors, with at least %d required: %s',
    (kind, contributors, minimum, enough) => {
      expect(hasContributors({ kind, contributors }, minimum)).toBe(enough);
    },
  );

  it('reports how to fix a mismatch', () => {
    rewrite(artifactFiles.vkey, (text) => `${text} `);
    expect(() => loadPinnedKey(folder)).toThrow(/Restore the committed file, or run zk\/scripts\/pin-setup/);
  });
});

describe('a verification key', () => {
  const outsideG2 = fromNobleG2(randomTwistPoint(seededRandom(5n)));

  it('passes if it is the committed key', () => {
    expect(failedCheck(() => parseVerificationKey(vkeyText))).toBe('none');
  });

  it.each<[string, string, (vkey: Vkey) => object]>([
    ['ic_count', 'three IC points', ({ IC }) => ({ IC: IC.slice(1) })],
    ['ic_count', 'five IC points', ({ IC }) => ({ IC: [...IC, IC[0]] })],
    ['ic_count', 'no IC', () => ({ IC: null })],
    ['ic_count', 'two public signals', () => ({ nPublic: 2 })],
    ['ic_infinity', 'an IC point at infinity', ({ IC }) => ({ IC: IC.with(2, ['0', '1', '0']) })],
    ['ic_infinity', 'an all-zero IC point', ({ IC }) => ({ IC: IC.with(3, ['0', '0', '1']) })],
    ['g1_curve', 'an IC point off the curve', ({ IC }) => ({ IC: IC.with(1, ['1', '1', '1']) })],
    ['g1_curve', 'alpha off the curve', () => ({ vk_alpha_1: ['1', '3', '1'] })],
    [
      'g2_curve',
      'beta off the twist',
      () => ({
        vk_beta_2: [
          ['1', '1'],
          ['1', '1'],
          ['1', '0'],
        ],
      }),
    ],
    ['g2_subgroup', 'beta outside G2', () => ({ vk_beta_2: g2Json(outsideG2) })],
    ['g2_subgroup', 'gamma outside G2', () => ({ vk_gamma_2: g2Json(outsideG2) })],
    ['g2_subgroup', 'delta outside G2', () => ({ vk_delta_2: g2Json(outsideG2) })],
    ['gamma_delta', 'delta equal to gamma', ({ vk_gamma_2 }) => ({ vk_delta_2: vk_gamma_2 })],
    [
      'delta_generator',
      'delta equal to the generator',
      ({ vk_delta_2 }) => ({ vk_gamma_2: vk_delta_2, vk_delta_2: g2Json(G2_GENERATOR) }),
    ],
    ['format', 'another protocol', () => ({ protocol: 'plonk' })],
    ['format', 'another curve', () => ({ curve: 'bls12381' })],
    ['format', 'a projective alpha', () => ({ vk_alpha_1: ['1', '2', '2'] })],
    ['format', 'alpha at infinity', () => ({ vk_alpha_1: ['0', '0', '1'] })],
    ['format', 'an unknown key', () => ({ extra: 1 })],
    ['format', 'no gamma', () => ({ vk_gamma_2: undefined })],
  ])('fails %s with %s', (check, _, change) => {
    expect(failedCheck(() => parseVerificationKey(vkeyWith(change)))).toBe(check);
  });

  it.each(['', 'null', '[]', '{', '1'])('fails format if the text is %j', (text) => {
    expect(failedCheck(() => parseVerificationKey(text))).toBe('format');
  });
});
