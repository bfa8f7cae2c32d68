// Builds the search index of the documentation from every section of every page.
import { readFileSync } from 'node:fs';
import MiniSearch from 'minisearch';

/** @typedef {import('../docs.mjs').Page} Page */

/** Must match the options that the page uses to load the index. */
const OPTIONS = JSON.parse(
  readFileSync(new URL('../../src/docs/search-index.json', import.meta.url), 'utf8'),
);

/** Excerpts come from this much of a section. All of it can be found. */
const MAX_STORED = 3000;

export function searchIndex(/** @type {Page[]} */ pages) {
  const index = new MiniSearch(OPTIONS);
  for (const { address, title: page, sections } of pages)
    for (const { level, id, title, text } of sections)
      index.add({
        id: level === 1 ? address : `${address}#${id}`,
        title,
        page: level === 1 ? '' : page,
        text,
        start: text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_STORED),
      });
  return index;
}
