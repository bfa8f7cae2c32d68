// `npm run sbom` prints the bill of materials of what runs in production, in CycloneDX: npm's own, without where each package
// was downloaded from, which is this machine's affair.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { root } from './setup.mjs';

/** @typedef {{ name: string, group?: string, version: string, licenses?: object[], externalReferences?: { type: string }[] }} Component */

/** @returns {{ bomFormat: string, specVersion: string, components: Component[] }} */
export function sbom() {
  const text = execFileSync(
    'npm',
    ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only', '--loglevel=error'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20, shell: process.platform === 'win32' },
  );
  const bill = JSON.parse(text);
  for (const component of bill.components)
    component.externalReferences = component.externalReferences?.filter(
      ({ type }) => type !== 'distribution',
    );
  return bill;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(sbom(), null, 2));
