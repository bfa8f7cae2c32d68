// Syntax highlighting, with the classes of our own stylesheet.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';

const LANGUAGES = { sh: bash, bash, js: javascript, ts: typescript, python, go, json, sql };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** The code as HTML, or undefined for a language that is not registered here. */
export const highlight = (/** @type {string} */ code, /** @type {string} */ language) =>
  hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : undefined;
