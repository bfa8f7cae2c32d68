// Turns links between files into links between pages. A link to a file that is not a page becomes plain text. Every API path and
// error code in a text links to its description. Pictures are copied next to the pages.

/** @typedef {import('markdown-it').default} MarkdownIt */

export function addLinks(/** @type {MarkdownIt} */ md) {
  md.core.ruler.push('page-links', ({ tokens, Token, env }) => {
    const { source, linkOf, termOf } = env.context;
    for (const [at, inline] of tokens.entries()) {
      if (inline.type !== 'inline') continue;
      let within = tokens[at - 1]?.type === 'heading_open';
      let isPage = true;
      inline.children = (inline.children ?? []).flatMap((token) => {
        if (token.type === 'image') {
          const src = String(token.attrGet('src'));
          token.attrSet('src', linkOf(src, source) ?? src);
          return [token];
        }
        if (token.type === 'link_open') {
          const href = linkOf(String(token.attrGet('href')), source);
          isPage = href !== undefined;
          within = true;
          if (href !== undefined) token.attrSet('href', href);
          return isPage ? [token] : [];
        }
        if (token.type === 'link_close') {
          within = false;
          return isPage ? [token] : [];
        }
        const href = within || token.type !== 'code_inline' ? undefined : termOf(token.content);
        if (href === undefined) return [token];
        const open = new Token('link_open', 'a', 1);
        open.attrSet('href', href);
        return [open, token, new Token('link_close', 'a', -1)];
      });
    }
  });
}
