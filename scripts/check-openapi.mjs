// Checks contract/openapi.json with the tools that integrators use: a linter, a bundler and a code generator. Our own rules
// for the document are in server/src/kernel/openapi.test.ts.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, createConfig, lintFromString } from '@redocly/openapi-core';
import { root, sameTree } from './setup.mjs';

const file = 'contract/openapi.json';
const STRICT = {
  strict: true,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  lib: ['esnext'],
  types: [],
};
const source = readFileSync(join(root, file), 'utf8');
const problems = [...(await lint()), ...(await bundled()), ...generated()];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

async function lint() {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'no-invalid-media-type-examples': 'error',
      'no-unused-components': 'error',
      'no-example-value-and-externalValue': 'error',
      'component-name-unique': 'error',
      'operation-singular-tag': 'error',
      'path-not-include-query': 'error',
      'spec-components-invalid-map-name': 'error',
      'spec-strict-refs': 'error',
      // /docs/ is served beside /docs, as the contract's own paths have it.
      'no-path-trailing-slash': 'off',
    },
  });
  return (await lintFromString({ source, absoluteRef: join(root, file), config })).map(describe);
}

/** What `redocly bundle` does. */
async function bundled() {
  const result = await bundle({ ref: join(root, file), config: await createConfig({}) });
  return result.problems.map(describe);
}

/** @param {{ ruleId: string, message: string, location: { pointer?: string }[] }} problem */
function describe({ ruleId, message, location }) {
  return `${file}${location[0]?.pointer ?? ''}: ${message} (${ruleId})`;
}

/**
 * What openapi-typescript makes of the document must compile under `strict`. It needs TypeScript 5, and the project uses 6,
 * so both have a folder and a lockfile of their own, which only this check installs.
 */
function generated() {
  const tools = join(root, 'scripts', 'openapi-tools');
  const record = join(tools, 'node_modules', '.package-lock.json');
  const read = (/** @type {string} */ path) => JSON.parse(readFileSync(path, 'utf8'));
  const windows = process.platform === 'win32'; // where npm is a script of the shell
  const output = join(root, '.build', 'openapi-types.ts');
  const tool = (/** @type {string} */ name) => join(tools, 'node_modules', name);
  const quiet = /** @type {const} */ ({ stdio: 'pipe', encoding: 'utf8' });
  mkdirSync(join(root, '.build'), { recursive: true });
  try {
    if (!existsSync(record) || !sameTree(read(join(tools, 'package-lock.json')), read(record)))
      execFileSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
        ...quiet,
        cwd: tools,
        shell: windows,
      });
    execFileSync(
      process.execPath,
      [tool('openapi-typescript/bin/cli.js'), join(root, file), '-o', output],
      quiet,
    );
    writeFileSync(`${output}.json`, JSON.stringify({ compilerOptions: STRICT, files: [output] }));
    execFileSync(process.execPath, [tool('typescript/bin/tsc'), '-p', `${output}.json`], quiet);
    return [];
  } catch (error) {
    const { stdout = '', message } = /** @type {Error & { stdout?: string }} */ (error);
    return [`openapi-typescript: ${message}\n${stdout}`];
  }
}
