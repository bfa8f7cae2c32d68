// Adds links to headings. Puts tables and code into scrollable frames that can be reached with the keyboard, and requests into tabs.

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
  // A header cell without text would be announced as an empty header.
  const isEmpty = (/** @type {Token | undefined} */ token) =>
    token?.type === 'inline' && token.content === '';
  rules.th_open = (tokens, at) => (isEmpty(tokens[at + 1]) ? '<td>' : plain(tokens, at));
  rules.th_close = (tokens, at) => (isEmpty(tokens[at - 1]) ? '</td>\n' : plain(tokens, at));
  const framed = (
    /** @type {string} */ code,
    /** @type {string} */ language,
    /** @type {Token | undefined} */ token,
    attributes = '',
  ) => {
    const name = language === '' ? 'code' : `code ${escapeHtml(language)}`;
    const html = highlight(code, language) ?? escapeHtml(code);
    return `<div class="sample"${attributes}>${group(token, name)}<pre><code>${html}</code></pre></div></div>\n`;
  };
  rules.fence = rules.code_block = (tokens, at, _options, env) => {
    const token = /** @type {Token} */ (tokens[at]);
    const [language = ''] = token.info.split(' ');
    const translations = language === 'sh' ? env.context.translationsOf(token.content) : undefined;
    if (translations === undefined) return framed(token.content, language, token);
    env.tabs = (env.tabs ?? 0) + 1;
    return tabsHtml(translations, env.tabs, (it, attributes) =>
      framed(it.code, it.highlight, token, attributes),
    );
  };
}

/**
 * One sample in several languages. The tabs are radio buttons, which need no script.
 * @typedef {import('../samples/samples.mjs').Translation} Translation
 */
export function tabsHtml(
  /** @type {Translation[]} */ translations,
  /** @type {number | string} */ group,
  /** @type {(it: Translation, attributes: string) => string} */ framed,
) {
  const tabs = translations.map(
    ({ id, name }, at) =>
      `<label><input type="radio" name="language-${group}" value="${id}"${at === 0 ? ' checked' : ''}><span>${name}</span></label>`,
  );
  const frames = translations.map((it) => framed(it, ` data-language="${it.id}"`));
  return `<div class="languages"><fieldset><legend class="visually-hidden">Language</legend>${tabs.join('')}</fieldset>${frames.join('')}</div>\n`;
}
