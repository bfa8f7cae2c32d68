// @module-tag if-touched @proofs: the arithmetic below the verifier, against other implementations
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { webAssembly } from '../../src/web-assembly.js';

/** The kernel compiled with bounds instead of numbers (zk/kernel/src/fp2-bounds.hpp). */
interface Bounds {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly buffer: () => number;
  readonly run: (disabledSite: number) => void;
  readonly violations: () => number;
  readonly violation_file: () => number;
  readonly violation_line: () => number;
  readonly sites: () => number;
  readonly site_file: (site: number) => number;
  readonly site_line: (site: number) => number;
  readonly site_column: (site: number) => number;
}

async function load(layout: string) {
  const bytes = readFileSync(new URL(`bounds-${layout}.wasm`, import.meta.url));
  const bounds = (await webAssembly.instantiate(await webAssembly.compile(bytes))).exports as Bounds;
  const { buffer } = bounds.memory;
  // Words with varied digits, so that no table or branch is skipped.
  const words = new BigUint64Array(buffer, bounds.buffer(), 46 * 64);
  for (const i of words.keys()) words[i] = BigInt.asUintN(64, 0x9e3779b97f4a7c15n * BigInt(i + 1));
  const text = (address: number) => {
    const rest = new Uint8Array(buffer, address);
    return new TextDecoder().decode(rest.subarray(0, rest.indexOf(0)));
  };
  return {
    /** Runs the formulas with one normalisation disabled. Returns the last normalisation before the first violated bound. */
    firstViolation(disabledSite = -1): string | undefined {
      bounds.run(disabledSite);
      return bounds.violations() === 0
        ? undefined
        : `${text(bounds.violation_file())}:${bounds.violation_line()}`;
    },
    /** The normalisations that ran: file, line and column. */
    sites: () =>
      Array.from(
        { length: bounds.sites() },
        (_, i) => `${text(bounds.site_file(i))}:${bounds.site_line(i)}:${bounds.site_column(i)}`,
      ),
  };
}

const layouts = { fma: await load('fma'), scalar: await load('scalar') };

/** The normalisations in the sources, except those in the layouts themselves, by file. */
function writtenIn(file: string): number {
  const source = readFileSync(new URL(`../../kernel/${file}`, import.meta.url), 'utf8').replace(
    /\/\*\*[\s\S]*?\*\/|\/\/.*/g,
    '',
  );
  return [...source.matchAll(/\b(?:normalize|reduce|lane_factor)\(/g)].length;
}

describe('the bounds of the kernel', () => {
  it.each(['fma', 'scalar'] as const)('hold for every formula of the %s layout', (layout) => {
    expect(layouts[layout].firstViolation()).toBeUndefined();
  });

  it('are violated in at least one layout if any one normalisation is disabled', () => {
    const needed = new Set<string>();
    const all = new Set<string>();
    for (const layout of Object.values(layouts)) {
      layout.firstViolation();
      for (const [i, site] of layout.sites().entries()) {
        all.add(site);
        if (layout.firstViolation(i) !== undefined) needed.add(site);
      }
    }
    expect([...all].filter((site) => !needed.has(site))).toEqual([]);
  });

  it('are checked at every normalisation in the sources', () => {
    layouts.fma.firstViolation();
    const sites = layouts.fma.sites();
    for (const file of [
      'src/fp2.hpp',
      'src/tower.hpp',
      'src/pairing.hpp',
      'src/g1.hpp',
      'src/groth16.hpp',
      'src/kernel.cpp',
    ])
      expect([file, sites.filter((site) => site.startsWith(`${file}:`)).length]).toEqual([
        file,
        writtenIn(file),
      ]);
  });
});
