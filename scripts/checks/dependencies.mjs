// Every runtime dependency has a line in docs/dependencies.md with its true licence and the reason for it, and everything that
// is installed with them may be distributed under our licence.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';

// The OFL is for typefaces.
const allowed = ['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'OFL-1.1'];
const page = 'docs/dependencies.md';
const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
const json = (/** @type {string} */ file) => JSON.parse(read(file));

/** Whether an SPDX expression permits a licence of the list: one of those joined by OR, all of those joined by AND. */
const isAllowed = (/** @type {string} */ expression) =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((option) => option.split(' AND ').every((licence) => allowed.includes(licence)));

/** @type {string[]} */
const problems = [];
const runtime = new Set(
  ['.', ...json('package.json').workspaces]
    .flatMap((workspace) => Object.keys(json(join(workspace, 'package.json')).dependencies ?? {}))
    .filter((name) => !name.startsWith('@svc/')),
);

// The page's first table: | `package` | licence | what for | why not our own code |
const table = read(page).split(/^## /m)[1] ?? '';
const rows = new Map(
  [...table.matchAll(/^\| `([^`]+)` \|(.+)\|$/gm)].map(([, name, cells]) => [
    name,
    cells.split('|').map((cell) => cell.trim()),
  ]),
);
for (const name of runtime) {
  const [licence, ...reasons] = rows.get(name) ?? [];
  const { license } = json(join('node_modules', name, 'package.json'));
  if (licence === undefined) problems.push(`${page}: no line for ${name}`);
  else if (licence !== license) problems.push(`${page}: ${name} is under ${license}, not ${licence}`);
  else if (reasons.length !== 2 || reasons.includes(''))
    problems.push(`${page}: ${name} lacks its use or the reason`);
}
for (const name of rows.keys())
  if (!runtime.has(name)) problems.push(`${page}: ${name} is listed, but nothing depends on it`);

// Their dependencies. The lockfile has no licence for binaries of other platforms, so the one of ours is checked instead.
/** @type {Record<string, { license?: string, dev?: boolean, link?: boolean, optional?: boolean }>} */
const locked = json('package-lock.json').packages;
for (const [path, { license, dev, link, optional }] of Object.entries(locked)) {
  if (!path.includes('node_modules/') || dev || link || (optional && license === undefined)) continue;
  if (!isAllowed(license ?? ''))
    problems.push(`${path}: its licence (${license ?? 'none given'}) is not one of ${allowed.join(', ')}`);
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
