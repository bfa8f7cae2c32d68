// Fills the template with an article and the links to all other pages. Menus are native popovers, so they open without a script.
import MarkdownIt from 'markdown-it';

/** @typedef {import('../docs.mjs').Page} Page */
/** @typedef {{ title: string, pages: Page[] }} Group */

const { escapeHtml } = new MarkdownIt().utils;

export function pageHtml(
  /** @type {string} */ template,
  /** @type {Group[]} */ groups,
  /** @type {Page} */ page,
) {
  const pages = groups.flatMap((group) => group.pages);
  const at = pages.findIndex(({ address }) => address === page.address);
  /** @type {Record<string, string>} */
  const slots = {
    title: page.address === '/docs' ? 'Documentation' : `${escapeHtml(page.title)} · Documentation`,
    description: escapeHtml(page.description.replaceAll(/\s+/g, ' ').trim().slice(0, 200)),
    contents: groups.map((group) => groupHtml(group, page)).join('\n'),
    article: page.html,
    'on-this-page': onThisPage(page),
    neighbours:
      at < 0 ? '' : neighbour(pages[at - 1], 'prev', 'Previous') + neighbour(pages[at + 1], 'next', 'Next'),
  };
  return template.replaceAll(/\{\{([a-z-]+)\}\}/g, (slot, name) => slots[name] ?? slot);
}

const link = (/** @type {Page} */ { address, title }, more = '') =>
  `<a href="${address}"${more}>${escapeHtml(title)}</a>`;

function groupHtml(/** @type {Group} */ { title, pages }, /** @type {Page} */ page) {
  const isHere = pages.some(({ address }) => address === page.address);
  const items = pages.map(
    (it) => `<li>${link(it, it.address === page.address ? ' aria-current="page"' : '')}</li>`,
  );
  return `<details${isHere ? ' open' : ''}><summary>${title}</summary><ul>${items.join('')}</ul></details>`;
}

function onThisPage(/** @type {Page} */ { sections, source }) {
  const deepest = source.startsWith('contract/') ? 2 : 3;
  const shown = sections.filter(({ level }) => level > 1 && level <= deepest);
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ level, id, title }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(title)}</a></li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}

const neighbour = (
  /** @type {Page | undefined} */ page,
  /** @type {string} */ rel,
  /** @type {string} */ word,
) =>
  page
    ? `<a class="${rel}" rel="${rel}" href="${page.address}"><small>${word}</small> <span>${escapeHtml(page.title)}</span></a>`
    : '';
