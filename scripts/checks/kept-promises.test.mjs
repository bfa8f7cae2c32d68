import { Linter } from 'eslint';
import ts from 'typescript';
import tseslint from 'typescript-eslint';
import { expect, test } from 'vitest';
import { keptPromises } from './kept-promises.mjs';

const REPORTED = [
  'const first = start(); await start(); return first;',
  'const first = start(); if (isTold) await first;',
  'const first = start(); if (isTold) return 1; return first;',
  'const first = start(); const other = await start(); return other + (await first);',
  'const first = start(); try { await start(); await first; } catch {}',
  'const all = [start(), start()]; await start(); return Promise.all(all);',
  'const entry = { result: start() }; await start(); return entry.result;',
  'let last = start(); await last; last = start(); await start(); return last;',
  'const first = start(); return () => first;',
];
const ACCEPTED = [
  'const first = start(); return first;',
  'const first = start(); const second = start(); await Promise.all([first, second]);',
  'const first = start(); first.catch(() => {}); await start(); return first;',
  'const first = start().catch(() => 0); await start(); return first;',
  'const first = start(); try { await Promise.race([first, start()]); } finally {}',
  'const first = await start(); await start(); return first;',
  'const later = new Promise((resolve) => setTimeout(resolve, 1)); await start(); return later;',
];

/** The bodies, each in a function on a line of its own, because a program with types takes long to create. */
const bodies = [...REPORTED, ...ACCEPTED];
const CASES = 'cases.ts';
const code = [
  'declare function start(): Promise<number>;',
  ...bodies.map((body) => `export async function work(isTold: boolean) { ${body} }`),
].join('\n');

function lint() {
  const host = ts.createCompilerHost({});
  const read = host.getSourceFile;
  host.getSourceFile = (name, version) =>
    name.endsWith(CASES) ? ts.createSourceFile(name, code, version) : read(name, version);
  const program = ts.createProgram([CASES], { lib: ['lib.es2022.d.ts'], types: [], noResolve: true }, host);
  return new Linter().verify(
    code,
    {
      files: ['**/*.ts'],
      languageOptions: { parser: tseslint.parser, parserOptions: { programs: [program] } },
      plugins: { svc: { rules: { 'kept-promises': keptPromises } } },
      rules: { 'svc/kept-promises': 'error' },
    },
    CASES,
  );
}

test('exactly the promises that a failure could leave alone are reported', { tags: ['ci'] }, () => {
  const reported = lint().map(({ line, ruleId, message }) => [bodies[line - 2], ruleId ?? message]);
  expect(reported).toEqual(REPORTED.map((body) => [body, 'svc/kept-promises']));
});
