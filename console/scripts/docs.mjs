// Builds the documentation: the guides and the API reference as static pages in console/dist/docs, with a search index.
// The template is a page built by Vite, so it refers to the hashed names of the style and the script.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { readContents } from './docs/contents.mjs';
import { render } from './docs/markdown.mjs';
import { pageHtml } from './docs/page.mjs';
import { braced, readApi, referencePages } from './docs/reference.mjs';
import { searchIndex } from './docs/search.mjs';
import { withTypefaces } from './preload.mjs';
import { translate } from './samples/samples.mjs';
import { writeSite } from './site.mjs';

/** @typedef {import('./docs/contents.mjs').Source} Source */
/** @typedef {Source & { title: string, description: string, html: string, sections: import('./docs/markdown.mjs').Section[] }} Page */

const MISSING = `# Page not found

The page may have moved. Look it up in the contents, or go to the [start page](/docs).
`;

export async function buildDocs(/** @type {string} */ root, /** @type {string} */ dist) {
  const api = await readApi(root);
  const contents = readContents(root, referencePages(api));
  const sources = contents.flatMap(({ pages }) => pages);
  const contextOf = references(root, dist, sources, api);
  const rendered = (/** @type {Source} */ source) => ({
    ...source,
    ...render(source.markdown, contextOf(source)),
  });
  const groups = contents.map(({ title, pages }) => ({ title, pages: pages.map(rendered) }));
  const pages = groups.flatMap((group) => group.pages);
  const repository = repositoryOf(root);
  const built = readFileSync(join(dist, 'docs/index.html'), 'utf8');
  const template = withTypefaces(built, dist, ['geist', 'geist-mono']);
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    const file = join(dist, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  for (const page of pages)
    write(fileOf(page.address, sources), pageHtml(template, groups, page, repository));
  const missing = rendered({ source: '404', address: '/docs/404', markdown: MISSING });
  write('docs/404.html', pageHtml(template, groups, missing, repository));
  write('docs/search.json', JSON.stringify(searchIndex(pages)));
  const asText = (/** @type {Page} */ page) => ({ ...page, text: absoluteText(page, contextOf(page)) });
  writeSite(
    dist,
    groups.map((group) => ({ ...group, pages: group.pages.map(asText) })),
  );
}

/** The Markdown of a page with absolute links, which programs can follow. */
const absoluteText = (
  /** @type {Source} */ { markdown, source },
  /** @type {ReturnType<ReturnType<typeof references>>} */ { linkOf },
) =>
  markdown.replaceAll(/\]\(([^()\s]+)\)/g, (link, href) => {
    const address = linkOf(href, source);
    return address?.startsWith('/') ? `]({{base-url}}${address})` : link;
  });

/** The address of the repository in package.json, if there is one. */
function repositoryOf(/** @type {string} */ root) {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const url = typeof repository === 'string' ? repository : repository?.url;
  return url?.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** `/docs/x` is docs/x.html. A page with pages below it is the index of its folder. */
function fileOf(/** @type {string} */ address, /** @type {Source[]} */ sources) {
  const isFolder = sources.some((other) => other.address.startsWith(`${address}/`));
  return `${address.slice(1)}${isFolder ? '/index' : ''}.html`;
}

/** Resolves the links and terms of a page. A file in docs/ that is not a page is copied next to the pages. */
function references(
  /** @type {string} */ root,
  /** @type {string} */ dist,
  /** @type {Source[]} */ sources,
  /** @type {import('./docs/reference.mjs').Api} */ api,
) {
  const addresses = new Map(sources.map(({ source, address }) => [source, address]));
  const operations = new Map(api.operations.map((operation) => [operation.name, operation]));
  const codes = Object.keys(api.document.components.examples);

  const linkOf = (/** @type {string} */ href, /** @type {string} */ source) => {
    if (/^(https?:|[/#])/.test(href)) return href;
    const [path = '', anchor] = href.split('#');
    const file = posix.join(posix.dirname(source), path).replace(/\/$/, '');
    const address = addresses.get(file) ?? addresses.get(`${file}/README.md`);
    if (address !== undefined) return anchor === undefined ? address : `${address}#${anchor}`;
    if (!existsSync(join(root, file))) throw new Error(`${source} links to ${href}, which does not exist`);
    if (file === 'contract/openapi.json') return '/openapi.json';
    if (!/^docs\/.*\.\w+$/.test(file)) return undefined;
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    copyFileSync(join(root, file), join(dist, file));
    return `/${file}`;
  };
  const termOf = (/** @type {string} */ text) => {
    if (codes.includes(text)) return `/docs/errors#${text}`;
    const operation = operations.get(braced(text.split('?', 1)[0] ?? ''));
    return operation && `${operation.page}#${operation.anchor}`;
  };
  return (/** @type {Source} */ { source }) => ({
    source,
    linkOf,
    termOf,
    // The pages of curl show what one types into a shell, with the responses.
    translationsOf: (/** @type {string} */ code) =>
      source.startsWith('examples/') ? undefined : translate(code, api.operations),
    anchorOf: (/** @type {string} */ title) => operations.get(title)?.anchor,
  });
}
