// Collects the fragments in changes/ into CHANGELOG.md. `npm run release:notes` prints what is unreleased, and
// `npm run release:notes -- 0.2.0` writes it under that version and deletes the fragments.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** @typedef {{ name: string, text: string }} Fragment a file of changes/ */

const FOLDER = join(root, 'changes');
const FILE = join(root, 'CHANGELOG.md');
const READERS = ['integrators', 'operators', 'contributors'];
const UNRELEASED = '## [Unreleased]\n';

/** The unreleased notes, grouped by reader: those that the changelog already has, then the fragments by name. */
export function notesOf(/** @type {string} */ changelog, /** @type {Fragment[]} */ fragments) {
  const texts = [unreleasedOf(changelog), ...fragments.map(checked)];
  const parts = READERS.map((reader) => {
    const entries = texts.map((text) => sectionsOf(text).get(reader)).filter(Boolean);
    return entries.length === 0 ? '' : `### For ${reader}\n\n${entries.join('\n')}\n`;
  });
  return parts.filter(Boolean).join('\n');
}

/** The changelog with these notes under a version, and nothing unreleased. */
export function released(
  /** @type {string} */ changelog,
  /** @type {string} */ notes,
  /** @type {string} */ version,
  /** @type {string} */ day,
) {
  const [before, after] = changelog.split(UNRELEASED);
  const rest = after.slice(unreleasedOf(changelog).length);
  return `${before}${UNRELEASED}\n## [${version}] - ${day}\n\n${notes}\n${rest}`;
}

/** The text between the heading of what is unreleased and that of the newest version. */
function unreleasedOf(/** @type {string} */ changelog) {
  return changelog.split(UNRELEASED)[1].split(/^(?=## )/m)[0];
}

/** The entries by reader. @returns {Map<string, string>} */
function sectionsOf(/** @type {string} */ text) {
  const sections = text.split(/^### For /m).slice(1);
  return new Map(sections.map((section) => [section.split('\n')[0], section.replace(/^.*\n/, '').trim()]));
}

/** The text of a fragment that has only sections for known readers, with entries. */
function checked(/** @type {Fragment} */ { name, text }) {
  const sections = [...sectionsOf(text)];
  const isGood = sections.every(([reader, entries]) => READERS.includes(reader) && entries.startsWith('- '));
  if (sections.length === 0 || !isGood || !text.startsWith('### For '))
    throw new Error(
      `changes/${name}: write “### For integrators” (or operators, contributors), then “- ” entries`,
    );
  return text;
}

/** @returns {Fragment[]} */
const readFragments = () =>
  readdirSync(FOLDER)
    .filter((name) => name !== 'README.md')
    .sort()
    .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

/** Each unreleased entry, without its dash. @returns {string[]} */
export function unreleasedEntries() {
  return notesOf(readFileSync(FILE, 'utf8'), readFragments()).split(/^- /m).slice(1);
}

if (process.argv[1] === import.meta.filename) {
  const [version] = process.argv.slice(2);
  const fragments = readFragments();
  const changelog = readFileSync(FILE, 'utf8');
  const notes = notesOf(changelog, fragments);
  if (version === undefined) console.log(notes);
  else {
    const day = new Date().toISOString().slice(0, 10);
    writeFileSync(FILE, released(changelog, notes, version, day));
    for (const { name } of fragments) rmSync(join(FOLDER, name));
  }
}
