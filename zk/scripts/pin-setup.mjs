// Pins the set-up in zk/artifacts: verifies all of it, then writes its details and hashes to zk/src/setup/pinned-setups.ts.
// The server trusts only the set-ups in that file, so review and commit the change like code.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { finish } from './ceremony-steps.mjs';
import { readManifest } from './manifest.mjs';
import { verifySetup } from './verify-setup.mjs';

const file = fileURLToPath(new URL('../src/setup/pinned-setups.ts', import.meta.url));
const LIST = /(PINNED_SETUPS: readonly PinnedSetup\[\] = )\[[\s\S]*\];\n$/;

/** The text of pinned-setups.ts with the manifest's set-up as the only pin. */
export function pinned(source, { circuitVersion, setup: { kind, contributors }, files }) {
  if (!LIST.test(source)) throw new Error('zk/src/setup/pinned-setups.ts does not end with its list.');
  const hashes = Object.entries(files).map(([role, { sha256 }]) => `      ${role}: '${sha256}',`);
  const lines = [
    '[',
    '  {',
    `    circuitVersion: '${circuitVersion}',`,
    `    setup: { kind: '${kind}', contributors: ${contributors} },`,
    '    sha256: {',
    ...hashes,
    '    },',
    '  },',
    '];',
    '',
  ];
  return source.replace(LIST, (_, head) => head + lines.join('\n'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const open = await verifySetup((line) => console.log(`ok  ${line}`));
    console.log(open.join('\n'));
    writeFileSync(file, pinned(readFileSync(file, 'utf8'), readManifest()));
    console.log(
      'Written: zk/src/setup/pinned-setups.ts. Review it, then run `npm run gen` and commit the result.',
    );
  } finally {
    await finish();
  }
}
