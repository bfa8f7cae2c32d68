// The HTML of the light pages. They differ in a few lines only, so no file repeats the others.
import { join } from 'node:path';

export const PLACE = '<div id="root"></div>';

const htmlOf = (/** @type {import('./pages.mjs').LightPage} */ { title, module, viewport = '', head = [] }) =>
  `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1${viewport}" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <meta name="application-name" content="{{product-name}}" />
    <meta name="support-url" content="{{support-url}}" />
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <meta name="theme-color" content="#f7f8f7" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="#0b0e0d" media="(prefers-color-scheme: dark)" />
${head.map((line) => `    ${line}\n`).join('')}    <title>${title}</title>
  </head>
  <body>
    ${PLACE}
    <noscript>This page needs JavaScript.</noscript>
    <script type="module" src="/${module}"></script>
  </body>
</html>
`;

/**
 * Gives Vite the HTML of light pages, as if each were a file of the workspace.
 * @returns {import('vite').Plugin}
 */
export function lightPages(
  /** @type {string} */ workspace,
  /** @type {readonly import('./pages.mjs').LightPage[]} */ of,
) {
  const pages = new Map(of.map((page) => [join(workspace, page.path), page]));
  return {
    name: 'light-pages',
    enforce: 'pre',
    resolveId: (id) => (pages.has(id) ? id : undefined),
    load(id) {
      const page = pages.get(id);
      return page && htmlOf(page);
    },
  };
}
