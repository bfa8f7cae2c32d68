// Writes docs/vectors/unicode-15.0.json, the table by which the text of an approval is judged, from the files of Unicode 15.0.0. It never
// gets a later Unicode, because that table would accept texts that an earlier checker rejects.
//   node scripts/generate/unicode-table.mjs <folder with UnicodeData.txt, DerivedCoreProperties.txt and DerivedNormalizationProps.txt>
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';

const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder of the files of Unicode 15.0.0.');
const file = (/** @type {string} */ name) => readFileSync(join(folder, name), 'utf8');
const fieldsOf = (/** @type {string} */ text) =>
  text
    .split('\n')
    .map((line) =>
      line
        .replace(/#.*/, '')
        .split(';')
        .map((field) => field.trim()),
    )
    .filter(([first]) => first);
const codes = (/** @type {string} */ range) => {
  const [from, to = from] = range.split('..').map((hex) => Number.parseInt(hex, 16));
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
};
const withProperty = (/** @type {string} */ name, /** @type {string[]} */ ...property) =>
  new Set(
    fieldsOf(file(name))
      .filter(([, ...values]) => property.every((value, at) => values[at] === value))
      .flatMap(([range]) => codes(range)),
  );

const records = [];
for (const [hex, name, category, ccc, , decomposition] of fieldsOf(file('UnicodeData.txt'))) {
  const code = Number.parseInt(hex, 16);
  const first = name.endsWith(', Last>') ? records.at(-1).code + 1 : code;
  for (let each = first; each <= code; each++)
    records.push({ code: each, category, ccc: Number(ccc), decomposition });
}
const ignorable = withProperty('DerivedCoreProperties.txt', 'Default_Ignorable_Code_Point');
const neverNfc = withProperty('DerivedNormalizationProps.txt', 'NFC_QC', 'N');
/** Nobody sees them, or nobody sees what is below them: the empty Braille pattern, overlays, the object replacement, the null notehead. */
const DECEIVING = new Set(['2800', '0334..0338', '20D0..20F0', 'FFFC', '1D159'].flatMap(codes));

const isShown = (/** @type {{ code: number, category: string }} */ { code, category }) =>
  (/^[LMNPS]/.test(category) || category === 'Zs') && ![ignorable, neverNfc].some((set) => set.has(code));
/** Also those that only a composite has in its parts. */
const shown = records.filter(isShown);
const allowed = shown.filter(({ code }) => !DECEIVING.has(code));

/** Code points in order as ranges `[first, last, ...rest]`, one for each run of the same rest. */
function ranges(
  /** @type {{ code: number }[]} */ list,
  restOf = (/** @type {any} */ _) => /** @type {number[]} */ ([]),
) {
  /** @type {number[][]} */
  const found = [];
  for (const each of list) {
    const last = found.at(-1);
    const rest = restOf(each);
    if (last && last[1] === each.code - 1 && rest.every((value, at) => value === last[at + 2]))
      last[1] = each.code;
    else found.push([each.code, each.code, ...rest]);
  }
  return found;
}

const table = {
  unicode: '15.0.0',
  allowed: ranges(allowed),
  marks: ranges(shown.filter(({ category }) => category.startsWith('M'))),
  spaces: ranges(allowed.filter(({ category }) => category === 'Zs')),
  classes: ranges(
    shown.filter(({ ccc }) => ccc > 0),
    ({ ccc }) => [ccc],
  ),
  // Those of Hangul are computed.
  composites: allowed
    .filter(({ decomposition }) => /^[0-9A-F]+ [0-9A-F]+$/.test(decomposition))
    .map(({ code, decomposition }) => [
      code,
      ...decomposition.split(' ').map((hex) => Number.parseInt(hex, 16)),
    ]),
};
const lines = Object.entries(table).map(([name, value]) => {
  if (!Array.isArray(value)) return `  "${name}": ${JSON.stringify(value)}`;
  const rows = value.map((row) => JSON.stringify(row));
  const packed = [];
  for (let at = 0; at < rows.length; at += 12) packed.push(`    ${rows.slice(at, at + 12).join(',')}`);
  return `  "${name}": [\n${packed.join(',\n')}\n  ]`;
});
writeFileSync(join(root, 'docs/vectors/unicode-15.0.json'), `{\n${lines.join(',\n')}\n}\n`);
console.log(
  Object.entries(table)
    .map(([name, value]) => `${name} ${value.length}`)
    .join(', '),
);
