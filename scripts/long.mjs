// `npm run test:long`, before a release: all tests, the long tests and all mutations, one after another. Writes the result to
// .build/long.json and prints it as a row for docs/testing.md. With arguments, only the long tests that they select.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';
import { duration } from './testing/test-plan.mjs';

const args = process.argv.slice(2);
const STEPS = [
  { name: 'all tests', script: 'test.mjs', args: ['--all'] },
  { name: 'long tests', script: 'test.mjs', args: ['--long'] },
  { name: 'mutations', script: 'mutations/run.mjs', args: [] },
];

/** Whether the step passed, and how long it took. */
function run(/** @type {typeof STEPS[number]} */ { name, script, args }) {
  const startedAt = Date.now();
  const file = join(root, 'scripts', script);
  const { status } = spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit' });
  return { name, passed: status === 0, ms: Date.now() - startedAt };
}

if (args.length > 0) {
  process.exitCode = run({ name: '', script: 'test.mjs', args: ['--long', ...args] }).passed ? 0 : 1;
} else {
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root }).toString().trim();
  const date = new Date().toISOString().slice(0, 10);
  const steps = STEPS.map(run);
  mkdirSync(join(root, '.build'), { recursive: true });
  writeFileSync(join(root, '.build', 'long.json'), JSON.stringify({ commit, date, steps }));
  const result = steps.map(
    ({ name, passed, ms }) => `${name} ${passed ? 'passed' : '**failed**'} in ${duration(ms)}`,
  );
  console.log(`\n| ${date} | ${commit} | ${result.join(', ')} |`);
  process.exitCode = steps.every(({ passed }) => passed) ? 0 : 1;
}
