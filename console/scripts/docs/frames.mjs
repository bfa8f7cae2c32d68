// Adds links to headings. Puts tables and code into scrollable frames that can be reached with the keyboard.

/** @typedef {import('markdown-it').default} MarkdownIt */
/** @typedef {import('./markdown.mjs').Token} Token */

export function addFrames(
  /** @type {MarkdownIt} */ md,
  /** @type {(code: string, language: string) => string | undefined} */ highlight,
) {
  const { escapeHtml } = md.utils;
  const { rules } = md.renderer;
  /** @type {(tokens: Token[], at: number) => string} */
  const plain = (tokens, at) => md.renderer.renderToken(tokens, at, md.options);
  const group = (/** @type {Token | undefined} */ token, /** @type {string} */ name) =>
    `<div class="${name}" role="group" aria-labelledby="${token?.meta.id}" tabindex="0">`;

  rules.heading_close = (tokens, at) => {
    const { id, title, level } = /** @type {Token} */ (tokens[at]).meta;
    const label = escapeHtml(`Link to “${title}”`);
    const link = level === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="${label}">#</a>`;
    return `${link}${plain(tokens, at)}`;
  };
  rules.table_open = (tokens, at) => `${group(tokens[at], 'table')}<table>\n`;
  rules.table_close = () => '</table></div>\n';
  // A table head without column names is omitted.
  rules.thead_open = (tokens, at) => {
    const end = tokens.findIndex(({ type }, index) => index > at && type === 'thead_close');
    const head = tokens.slice(at + 1, end + 1);
    if (head.some(({ type, content }) => type === 'inline' && content !== '')) return '<thead>\n';
    for (const token of head) token.hidden = true;
    return '';
  };
  rules.fence = rules.code_block = (tokens, at) => {
    const { info, content } = /** @type {Token} */ (tokens[at]);
    const [language = ''] = info.split(' ');
    const code = highlight(content, language) ?? escapeHtml(content);
    const name = language === '' ? 'code' : `code ${escapeHtml(language)}`;
    return `${group(tokens[at], name)}<pre><code>${code}</code></pre></div>\n`;
  };
}
