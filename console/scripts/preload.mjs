// Names the typefaces in the head of a built page, so that they are loaded with its style and not after it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {'geist' | 'geist-mono'} Face */

/** The page with links to the files that Vite gave names. */
export function withTypefaces(
  /** @type {string} */ html,
  /** @type {string} */ dist,
  /** @type {Face[]} */ faces,
) {
  const assets = readdirSync(join(dist, 'assets'));
  const links = faces.map((face) => {
    const file = assets.find((name) => name.startsWith(`${face}-latin-`) && name.endsWith('.woff2'));
    if (file === undefined) throw new Error(`The build has no file of the typeface ${face}.`);
    return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/${file}">`;
  });
  return html.replace('<title>', () => `${links.join('\n    ')}\n    <title>`);
}
