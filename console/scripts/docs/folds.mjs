// The only HTML allowed in guides: `<details><summary>A title</summary>` and `</details>`, each on its own line. Code hosts
// support it too.

/** @typedef {import('markdown-it').default} MarkdownIt */

const OPEN = /^<details><summary>([^<>]*)<\/summary>$/;
const CLOSE = '</details>';

export function addFolds(/** @type {MarkdownIt} */ md) {
  md.block.ruler.before(
    'paragraph',
    'fold',
    (state, line, _end, silent) => {
      const text = state.src
        .slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
        .trim();
      const title = OPEN.exec(text)?.[1];
      if (title === undefined && text !== CLOSE) return false;
      if (silent) return true;
      const token = state.push(title === undefined ? 'fold_close' : 'fold_open', 'details', 0);
      token.content = title ?? '';
      state.line = line + 1;
      return true;
    },
    { alt: ['paragraph'] },
  );
  const { rules } = md.renderer;
  rules.fold_open = (tokens, at) =>
    `<details><summary>${md.utils.escapeHtml(tokens[at]?.content ?? '')}</summary>\n`;
  rules.fold_close = () => '</details>\n';
}
