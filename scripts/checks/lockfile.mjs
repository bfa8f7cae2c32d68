// package-lock.json must have an entry for every optional dependency, so for the binaries of every platform, and not only for
// those of the machine on which npm wrote it (https://github.com/npm/cli/issues/4828). The version must match the request.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../setup.mjs';

/**
 * @param {{ packages: Record<string, { version?: string, optionalDependencies?: Record<string, string> }> }} lock
 * @returns {string[]} what is wrong with it
 */
export function faultsOf({ packages }) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies).flatMap(([name, wanted]) => {
      const found = nearest(packages, path, name);
      if (found === undefined) return [`${path || 'the project'}: ${name}@${wanted} has no entry`];
      if (/^\d+\.\d+\.\d+$/.test(wanted) && found.version !== wanted)
        return [`${path}: ${name} is ${found.version}, and should be ${wanted}`];
      return [];
    }),
  );
}

/** The package that a package at `path` gets for `name`: its own, or that of a parent folder. */
function nearest(
  /** @type {Record<string, any>} */ packages,
  /** @type {string} */ path,
  /** @type {string} */ name,
) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const found = packages[`${at}${at && '/'}node_modules/${name}`];
    if (found !== undefined || at === '') return found;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = ['package-lock.json', 'scripts/openapi-tools/package-lock.json'].flatMap((file) =>
    faultsOf(JSON.parse(readFileSync(join(root, file), 'utf8'))).map((fault) => `${file}: ${fault}`),
  );
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
