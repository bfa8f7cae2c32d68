// Fills the template with an article and the links to all other pages. Menus are native popovers, so they open without a script.
import MarkdownIt from 'markdown-it';
import { markdownFile } from '../site.mjs';

/** @typedef {import('../docs.mjs').Page} Page */
/** @typedef {{ title: string, pages: Page[] }} Group */

const { escapeHtml } = new MarkdownIt().utils;

export function pageHtml(
  /** @type {string} */ template,
  /** @type {Group[]} */ groups,
  /** @type {Page} */ page,
  /** @type {string | undefined} */ repository,
) {
  const pages = groups.flatMap((group) => group.pages);
  const at = pages.findIndex(({ address }) => address === page.address);
  /** @type {Record<string, string>} */
  const slots = {
    title: `${page.address === '/docs' ? 'Documentation' : escapeHtml(page.title)} · {{product-name}}`,
    heading: escapeHtml(page.title),
    description: escapeHtml(shortened(page.description)),
    links: at < 0 ? '<meta name="robots" content="noindex" />' : linksOf(page),
    site: siteLinks(page.address),
    edit: editLink(page, repository),
    contents: groups.map((group) => groupHtml(group, page)).join('\n'),
    article: page.html,
    'on-this-page': onThisPage(page),
    neighbours:
      at < 0 ? '' : neighbour(pages[at - 1], 'prev', 'Previous') + neighbour(pages[at + 1], 'next', 'Next'),
  };
  return template.replaceAll(/\{\{([a-z-]+)\}\}/g, (slot, name) => slots[name] ?? slot);
}

/** The parts of the documentation, with the one that the page belongs to marked. */
function siteLinks(/** @type {string} */ address) {
  const isReference = /^\/docs\/(reference|errors)/.test(address);
  const isChangelog = address === '/docs/changelog';
  const isGuide = !isReference && !isChangelog && address !== '/docs/404';
  return [
    ['/docs', 'Guides', isGuide],
    ['/docs/reference', 'API reference', isReference],
    ['/docs/changelog', 'Changelog', isChangelog],
  ]
    .map(([href, name, isHere]) => `<a href="${href}"${isHere ? ' aria-current="true"' : ''}>${name}</a>`)
    .join('\n');
}

/** Where the source of a page can be changed, if package.json names the repository. Generated pages have no source. */
const editLink = (/** @type {Page} */ { source }, /** @type {string | undefined} */ repository) =>
  repository === undefined || !source.endsWith('.md')
    ? ''
    : `<p class="edit"><a href="${escapeHtml(repository)}/edit/main/${source}">Edit this page</a></p>`;

/** A page with the same content as its Markdown, at an address that the service completes. */
const linksOf = (/** @type {Page} */ { address }) =>
  [
    `<link rel="canonical" href="{{base-url}}${address}" />`,
    `<link rel="alternate" type="text/markdown" href="/${markdownFile(address)}" />`,
    `<meta property="og:url" content="{{base-url}}${address}" />`,
  ].join('\n    ');

const MAX_DESCRIPTION = 160;

/** The first sentences that fit, or as many words as fit. */
function shortened(/** @type {string} */ text) {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= MAX_DESCRIPTION) return line;
  const start = line.slice(0, MAX_DESCRIPTION);
  const end = start.lastIndexOf('. ');
  return end > 60 ? start.slice(0, end + 1) : `${start.slice(0, start.lastIndexOf(' '))} …`;
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
    ({ level, id, title, isEndpoint }) =>
      `<li class="level-${level}${isEndpoint ? ' endpoint' : ''}"><a href="#${id}">${escapeHtml(title)}</a></li>`,
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
