// Syntax highlighting, with the classes of our own stylesheet.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import sql from 'highlight.js/lib/languages/sql';

const LANGUAGES = { sh: bash, bash, js: javascript, json, sql };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** The code as HTML, or undefined for a language that is not registered here. */
export const highlight = (/** @type {string} */ code, /** @type {string} */ language) =>
  hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : undefined;
