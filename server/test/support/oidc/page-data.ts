import type { Page } from './browser.js';

/** What the server put into a hosted page. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export function dataOf(page: Page): any {
  const text = /<script id="page-data" type="application\/json">(.*?)<\/script>/.exec(page.text)?.[1];
  if (text === undefined) throw new Error(`${page.url} is no hosted page: ${page.text.slice(0, 300)}`);
  return JSON.parse(text);
}
