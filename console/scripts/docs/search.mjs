// The index that the search of the documentation loads when it is first used: every section of every page.
import { readFileSync } from 'node:fs';
import MiniSearch from 'minisearch';

/** @typedef {import('../docs.mjs').Page} Page */

/** Those who read the index must have the same. */
const OPTIONS = JSON.parse(
  readFileSync(new URL('../../src/docs/search-index.json', import.meta.url), 'utf8'),
);

export function searchIndex(/** @type {Page[]} */ pages) {
  const index = new MiniSearch(OPTIONS);
  for (const { address, title: page, sections } of pages)
    for (const { level, id, title, text } of sections)
      index.add({
        id: level === 1 ? address : `${address}#${id}`,
        title,
        page: level === 1 ? '' : page,
        text,
      });
  return index;
}
