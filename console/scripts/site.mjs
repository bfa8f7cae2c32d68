// Writes what search engines and language models read: robots.txt, sitemap.xml, llms.txt with the pages as Markdown. The service
// replaces {{base-url}} with its own address and {{product-name}} with its name, which the build does not know.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./docs.mjs').Page & { text: string }} Page */

const BASE_URL = '{{base-url}}';
/** Pages that need a session, and the API. */
const UNLISTED = ['/dashboard', '/desk', '/phone', '/sign-in', '/api', '/auth', '/v1'];

const ROBOTS = `User-agent: *
${UNLISTED.map((path) => `Disallow: ${path}`).join('\n')}
Allow: /

Sitemap: ${BASE_URL}/sitemap.xml
`;

const ABOUT = `# {{product-name}}

> A multi-tenant HTTP JSON API for passwordless identity verification. A phone keeps a secret behind its biometric lock. The service
> stores a commitment to it and verifies zero-knowledge proofs.

Each page below is Markdown. [All of them in one file](${BASE_URL}/llms-full.txt). The API as [OpenAPI 3.1](${BASE_URL}/openapi.json).`;

/** `text` of a page is its Markdown with absolute links. */
export function writeSite(
  /** @type {string} */ dist,
  /** @type {{ title: string, pages: Page[] }[]} */ groups,
) {
  const pages = groups.flatMap((group) => group.pages);
  const addresses = ['/', ...pages.map(({ address }) => address)];
  const urls = addresses.map((address) => `  <url><loc>${BASE_URL}${address}</loc></url>`);
  /** @type {Record<string, string>} */
  const files = {
    'robots.txt': ROBOTS,
    'sitemap.xml': `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
    'llms.txt': `${ABOUT}\n\n${groups.map(listOf).join('\n\n')}\n`,
    'llms-full.txt': `${ABOUT}\n\n${pages.map(({ address, text }) => `<!-- ${BASE_URL}${address} -->\n\n${text.trim()}`).join('\n\n')}\n`,
  };
  for (const { address, text } of pages) files[markdownFile(address)] = text;
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, name), text);
}

/** Where the Markdown of a page is served. */
export const markdownFile = (/** @type {string} */ address) =>
  address === '/docs' ? 'docs/index.md' : `${address.slice(1)}.md`;

const listOf = (/** @type {{ title: string, pages: Page[] }} */ { title, pages }) =>
  `## ${title}\n\n${pages
    .map(
      ({ address, title: name, description }) =>
        `- [${name}](${BASE_URL}/${markdownFile(address)}): ${description.replaceAll(/\s+/g, ' ').trim()}`,
    )
    .join('\n')}`;
