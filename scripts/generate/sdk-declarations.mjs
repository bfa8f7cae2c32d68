// The SDK's public types: what the compiler declares for its entries and for everything that these refer to.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { root } from '../setup.mjs';

/** The entries by their import names. */
export const SDK_ENTRIES = {
  '.': 'sdk',
  './phone': 'phone',
  './prover': 'prover',
  './receipts': 'receipts',
  './time': 'time',
};

/**
 * The text of each declaration file, by its name under sdk/src, without those that no entry refers to.
 * @returns {Map<string, string>}
 */
export function sdkDeclarations({ comments = true } = {}) {
  const config = ts.parseConfigFileTextToJson(
    'tsconfig.json',
    readFileSync(join(root, 'tsconfig.json'), 'utf8'),
  );
  const { options } = ts.convertCompilerOptionsFromJson(config.config.compilerOptions, root);
  const source = join(root, 'sdk', 'src');
  const program = ts.createProgram(
    Object.values(SDK_ENTRIES).map((name) => join(source, `${name}.ts`)),
    {
      ...options,
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      removeComments: !comments,
      stripInternal: true,
      rootDir: root,
    },
  );
  /** @type {Map<string, string>} */
  const emitted = new Map();
  program.emit(undefined, (file, text) => emitted.set(relative(source, file).replaceAll('\\', '/'), text));
  /** @type {Map<string, string>} */
  const named = new Map();
  const visit = (/** @type {string} */ file) => {
    const text = emitted.get(file);
    if (text === undefined) throw new Error(`the SDK's types refer to ${file}, which is not part of the SDK`);
    if (named.has(file)) return;
    named.set(file, text);
    for (const [, path] of text.matchAll(/(?:from|import\() ?'([^']+)'/g))
      visit(join(dirname(file), path).replaceAll('\\', '/').replace(/\.js$/, '.d.ts'));
  };
  for (const name of Object.values(SDK_ENTRIES)) visit(`${name}.d.ts`);
  return named;
}

/** The public types of the SDK as one text for reviews: all declarations, without comments. */
export function sdkApiReport(/** @type {string} */ banner) {
  const files = [...sdkDeclarations({ comments: false })].sort(([left], [right]) => (left < right ? -1 : 1));
  // Generated from the contract, which is reviewed itself.
  const own = files.filter(([file]) => !file.startsWith('generated/'));
  // The imports of a file follow from its declarations.
  const declared = (/** @type {string} */ text) => text.replace(/^(import .*|export \{\};)\n/gm, '');
  return `// ${banner}\n${own.map(([file, text]) => `\n// ${file}\n${declared(text)}`).join('')}`;
}
