// `npm run sbom` prints the bill of materials of the production packages in CycloneDX: npm's own, without the addresses of the
// registries, which depend on this machine.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../setup.mjs';

/**
 * @typedef {{ 'bom-ref': string, licenses?: object[], externalReferences?: { type: string }[] }} Component
 * @typedef {{ ref: string, dependsOn?: string[] }} Dependency
 */

/** @returns {{ bomFormat: string, specVersion: string, metadata: { component: { name: string } }, components: Component[], dependencies: Dependency[] }} */
export function sbom() {
  const text = execFileSync(
    'npm',
    ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
      shell: process.platform === 'win32',
    },
  );
  const bill = JSON.parse(text);
  // npm names the root after its folder.
  bill.metadata.component.name = bill.metadata.component['bom-ref'].split('@')[0];
  const runs = inProduction();
  bill.components = bill.components.filter((/** @type {Component} */ component) =>
    runs.has(component['bom-ref']),
  );
  for (const component of bill.components)
    component.externalReferences = component.externalReferences?.filter(
      (/** @type {{ type: string }} */ { type }) => type !== 'distribution',
    );
  const refs = new Set(
    [bill.metadata.component, ...bill.components].map((component) => component['bom-ref']),
  );
  bill.dependencies = bill.dependencies
    .filter((/** @type {Dependency} */ { ref }) => refs.has(ref))
    .map((/** @type {Dependency} */ { ref, dependsOn = [] }) => ({
      ref,
      dependsOn: dependsOn.filter((of) => refs.has(of)),
    }));
  return bill;
}

/**
 * The production packages in the lockfile, as `name@version`. npm's own `--omit=dev` also omits what development depends on, such
 * as ajv and pg, and if one version is installed in two places it looks at only one of them.
 */
function inProduction() {
  /** @type {Record<string, { version: string, name?: string, dev?: boolean, link?: boolean }>} */
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const entries = Object.entries(packages).filter(([path, { dev, link }]) => path !== '' && !dev && !link);
  return new Set(
    entries.map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(sbom(), null, 2));
