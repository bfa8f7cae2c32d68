// Reads the table of contents, `docs/contents.json`: which files are pages, and their order, groups and addresses.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The source of a page: Markdown from a file, or generated from the contract.
 * @typedef {{ source: string, address: string, markdown: string }} Source
 * @typedef {{ title: string, pages: Source[] }} Group
 */

/** Every Markdown file in these folders must be in the table. */
const FOLDERS = ['docs', 'examples/curl'];

/**
 * The groups of pages. A group with `reference` begins with the pages generated from the contract.
 * @returns {Group[]}
 */
export function readContents(/** @type {string} */ root, /** @type {Source[]} */ reference) {
  /** @type {{ title: string, pages: string[], reference?: boolean }[]} */
  const table = JSON.parse(readFileSync(join(root, 'docs/contents.json'), 'utf8'));
  const listed = table.flatMap(({ pages }) => pages);
  const missing = FOLDERS.flatMap((folder) => markdownOf(root, folder)).filter(
    (name) => !listed.includes(name),
  );
  if (missing.length > 0) throw new Error(`docs/contents.json does not list ${missing.join(', ')}`);
  return table.map(({ title, pages, reference: hasReference }) => ({
    title,
    pages: [
      ...(hasReference ? reference : []),
      ...pages.map((source) => ({
        source,
        address: addressOf(source),
        markdown: readFileSync(join(root, source), 'utf8'),
      })),
    ],
  }));
}

const markdownOf = (/** @type {string} */ root, /** @type {string} */ folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${String(name).replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md'));

/** `docs/x.md` is `/docs/x`, and a folder's README is the folder. */
const addressOf = (/** @type {string} */ source) =>
  `/docs/${source.toLowerCase().replace(/^(docs|examples)\//, '')}`
    .replace(/(^|\/)readme\.md$/, '')
    .replace(/\.md$/, '');
