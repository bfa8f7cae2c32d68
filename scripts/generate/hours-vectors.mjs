// Writes docs/vectors/hours.json: files of a month, good and bad, for checkers in any language. All but the first are changes of others, each
// with the codes and the last sentence that a checker must give. The proofs are new in each run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { attackedMonths } from './hours/attacks.mjs';
import { changedFiles } from './hours/bad.mjs';
import { changesBetween } from './hours/changes.mjs';
import { forgedFiles } from './hours/forged.mjs';
import { goodFiles } from './hours/good.mjs';
import { month } from './hours/month.mjs';
import { textOf } from './hours/scene.mjs';

const { verifyHours } = await import('../../sdk/dist/hours.js');
const scene = await month();
const good = await goodFiles(scene);
const bad = {
  ...changedFiles(scene, good),
  ...forgedFiles(scene, good),
  ...(await attackedMonths(scene)),
};

const [FIRST] = Object.keys(good);
const linesByName = new Map(Object.entries(good).map(([name, { lines }]) => [name, lines]));
const optionsByName = new Map(Object.entries(good).map(([name, { options }]) => [name, options]));
const isSame = (/** @type {unknown} */ a, /** @type {unknown} */ b) =>
  JSON.stringify(a) === JSON.stringify(b);
let wrong = 0;

/** What the checker of the SDK says, which must be what is expected. */
async function vectorOf(name, { lines, of = FIRST, replace, options, codes = [] }) {
  const text = replace ? textOf(lines).replace(replace[0], () => replace[1]) : textOf(lines);
  let verdict = /** @type {any} */ ({});
  try {
    verdict = await verifyHours([text], { allowDevelopmentKeys: true, ...options });
  } catch (error) {
    verdict = { code: `crash: ${error.message}`, findings: [] };
  }
  const found = verdict.code ? [verdict.code] : [...new Set(verdict.findings.map(({ code }) => code))];
  if (found.join() !== codes.join()) {
    wrong += 1;
    console.error(`${name}: ${found} instead of ${codes}. ${verdict.message ?? verdict.conclusion}`);
    for (const { code, message } of verdict.findings) console.error(`    ${code}: ${message}`);
  }
  const { conclusion, checked, notChecked, restsOn } = verdict;
  const isGood = codes.length === 0;
  return {
    name,
    ...(name === FIRST ? { lines } : { of, ...changesBetween(linesByName.get(of), lines) }),
    ...(replace && { replace }),
    ...(name === FIRST || !isSame(options, optionsByName.get(of))
      ? { options: { allowDevelopmentKeys: true, ...options } }
      : {}),
    ...(isGood ? { checked, notChecked, restsOn } : { codes }),
    ...(conclusion && { conclusion }),
  };
}

const vectorsOf = async (/** @type {Record<string, any>} */ all) => {
  const vectors = [];
  for (const [name, each] of Object.entries(all)) vectors.push(await vectorOf(name, each));
  return vectors;
};
const vectors = {
  about:
    'Files of a month (`format=svc-hours`), and what the checker knows (`options`). The first has its lines, each written as JSON.stringify writes it and ended by a line feed. The others change the file that `of` names: `lines` are [position, how many are removed, what is inserted], from the end to the beginning, then `values` are [path, value], without a value if the field is removed, then `replace` is a text and what stands instead of it, once. Without `options`, they are those of that file. Good ones have the sentences that a checker must give, bad ones the codes. Both have the last sentence, unless the file cannot be read to its end.',
  good: await vectorsOf(good),
  bad: await vectorsOf(bad),
};
// Escaped, so that an editor cannot normalize the texts.
const escaped = (/** @type {string} */ text) =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const shown = [
  `{"about":${JSON.stringify(vectors.about)}`,
  ...['good', 'bad'].map(
    (kind) => `"${kind}":[\n${vectors[kind].map((each) => JSON.stringify(each)).join(',\n')}\n]`,
  ),
].join(',\n');
writeFileSync(join(root, 'docs/vectors/hours.json'), `${escaped(shown)}}\n`);
console.log(`${wrong} of ${Object.keys({ ...good, ...bad }).length} are not as expected.`);
process.exit(wrong > 0 ? 1 : 0);
