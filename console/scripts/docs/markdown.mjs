// Renders Markdown to HTML with the anchors of code hosts. HTML in the source is not allowed, except for folds.
import MarkdownIt from 'markdown-it';
import { addFolds } from './folds.mjs';
import { addFrames } from './frames.mjs';
import { highlight } from './highlight.mjs';
import { addLinks } from './links.mjs';

/** @typedef {ReturnType<MarkdownIt['parse']>[number]} Token */
/** @typedef {{ level: number, id: string, title: string, isEndpoint: boolean, text: string }} Section */
/**
 * Resolves what a page's text refers to.
 * @typedef {object} Context
 * @property {string} source
 * @property {(href: string, source: string) => string | undefined} linkOf the address for a link between files
 * @property {(text: string) => string | undefined} termOf the address that describes an API path or an error code
 * @property {(code: string) => import('../samples/samples.mjs').Translation[] | undefined} translationsOf a request in every language
 * @property {(title: string) => string | undefined} anchorOf the anchor of a heading that is an API path
 */

const md = new MarkdownIt({ html: false });
addFolds(md);
addLinks(md);
addFrames(md, highlight);
md.renderer.rules.badge = (tokens, at) => {
  const method = md.utils.escapeHtml(tokens[at]?.content ?? '');
  return `<span class="method ${method}">${method}</span>`;
};

/** The page's title, its first paragraph, its HTML, and its sections with their text. */
export function render(/** @type {string} */ markdown, /** @type {Context} */ context) {
  const env = { context, sections: /** @type {Section[]} */ ([]) };
  const tokens = md.parse(markdown.replace(/^<!--.*?-->\n+/s, ''), env);
  nameSections(tokens, env);
  const [first] = env.sections;
  if (first?.level !== 1) throw new Error(`${context.source} does not begin with its title`);
  const paragraph = tokens.findIndex(({ type, level }) => type === 'paragraph_open' && level === 0);
  return {
    title: first.title,
    description: textOf(/** @type {Token} */ (tokens[paragraph + 1])),
    html: md.renderer.render(tokens, md.options, env),
    sections: env.sections,
  };
}

/** Gives every heading its anchor, and collects the text below it. */
function nameSections(
  /** @type {Token[]} */ tokens,
  /** @type {{ context: Context, sections: Section[] }} */ env,
) {
  const taken = new Map();
  for (const [at, token] of tokens.entries()) {
    const isTitle = tokens[at - 1]?.type === 'heading_open';
    const section = env.sections.at(-1);
    if (token.type === 'heading_open') {
      const title = textOf(/** @type {Token} */ (tokens[at + 1]));
      const anchor = env.context.anchorOf(title);
      if (anchor !== undefined && token.tag === 'h2') markEndpoint(tokens[at + 1]);
      const slug = anchor ?? slugOf(title);
      const times = taken.get(slug) ?? 0;
      taken.set(slug, times + 1);
      const id = times === 0 ? slug : `${slug}-${times}`;
      token.attrSet('id', id);
      const isEndpoint = anchor !== undefined;
      env.sections.push({ level: Number(token.tag[1]), id, title, isEndpoint, text: '' });
    } else if (!isTitle && section && ['inline', 'fence', 'code_block'].includes(token.type))
      section.text += `${textOf(token)}\n`;
    token.meta = env.sections.at(-1);
  }
}

/** Sets the method apart from the path in a heading such as `GET /v1/users`. */
function markEndpoint(/** @type {Token | undefined} */ inline) {
  const [text] = inline?.children ?? [];
  if (inline?.children == null || text?.type !== 'text') return;
  const [method = '', ...path] = text.content.split(' ');
  const badge = new text.constructor('badge', '', 0);
  badge.content = method;
  text.content = ` ${path.join(' ')}`;
  inline.children.unshift(badge);
}

const textOf = (/** @type {Token} */ { children, content }) =>
  children?.map((child) => (child.type === 'softbreak' ? ' ' : child.content)).join('') ?? content;

/** The anchor that code hosts give a heading. */
const slugOf = (/** @type {string} */ title) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
