import { ERRORS, type ErrorCode } from '../../kernel/errors.js';
import type { Route } from '../../kernel/route.js';
import { errorsOf } from '../../kernel/route-errors.js';
import { CATALOGUE } from './catalogue.js';

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const layout = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;

export const homePage = (version: string) =>
  layout(
    'Identity verification',
    `<h1>Identity verification</h1>
<p>Passwordless verification with zero-knowledge proofs. A phone keeps the secret; only a commitment or a proof crosses
the wire. This server runs version ${escapeHtml(version)}.</p>
<ul>
<li><a href="/openapi.json">The API as OpenAPI 3.1</a></li>
<li><a href="/docs/errors">Every error code</a></li>
<li><a href="/api/health">Health</a></li>
</ul>
<p>New here? In the project’s folder, <code>npm run quickstart</code> walks from an account to a verified proof.</p>`,
  );

const TITLES: Readonly<Record<number, string>> = {
  400: 'The request is wrong',
  401: 'Who is asking is not clear',
  403: 'Not allowed',
  404: 'Not there',
  405: 'Another method',
  409: 'Something stands in the way',
  410: 'No longer there',
  413: 'Too much',
  415: 'Another form',
  429: 'Too often',
  500: 'Our fault',
  503: 'Not now',
};

/** In the order of the table; a status without a title here has no section, and a test for each code would miss it. */
const codesByStatus = Object.entries(TITLES).map(([status, title]) => {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code][0] === Number(status));
  return { status, title, codes };
});

/** Text with backticks to code. */
const prose = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** The endpoints that answer a code, folded away where they are many. */
function endpoints(code: ErrorCode, routes: readonly Route[]): string {
  const names = routes.filter((route) => errorsOf(route).includes(code)).map(nameOf);
  if (names.length === 0) return '<p class="where">Answered where no endpoint takes the method.</p>';
  if (names.length === routes.length) return '<p class="where">Answered by every endpoint.</p>';
  const items = names.map((name) => `<li><code>${escapeHtml(name)}</code></li>`).join('');
  const many = names.length > 4;
  const title = names.length === 1 ? 'Answered by one endpoint' : `Answered by ${names.length} endpoints`;
  return `<details${many ? '' : ' open'}><summary>${title}</summary><ul>${items}</ul></details>`;
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`;

function section(code: ErrorCode, routes: readonly Route[]): string {
  const [status, message] = ERRORS[code];
  const { means, when, next } = CATALOGUE[code];
  return `<section id="${code}">
<h3><a href="#${code}"><code>${code}</code></a> <span>${status}</span></h3>
<p class="message">${escapeHtml(message)}</p>
<p>${prose(means)} ${prose(when)}</p>
<p><b>What to do.</b> ${prose(next)}</p>
${endpoints(code, routes)}
</section>`;
}

/** Every code with its meaning, an anchor, and where it is answered, which the routes tell. */
export const errorPage = (routes: readonly Route[]) =>
  layout(
    'Errors',
    `<h1>Errors</h1>
<p>Every failure is <code>{ error, message, docs, requestId, details? }</code>. Decide by <code>error</code>; show
<code>message</code> to people; quote <code>requestId</code> when you ask for help.</p>
<nav aria-label="Codes">
${codesByStatus
  .map(
    ({ status, codes }) =>
      `<p><b>${status}</b> <span>${codes.map((code) => `<a href="#${code}"><code>${code}</code></a>`).join(' ')}</span></p>`,
  )
  .join('\n')}
</nav>
${codesByStatus
  .map(
    ({ status, title, codes }) =>
      `<h2>${status} · ${title}</h2>\n${codes.map((code) => section(code, routes)).join('\n')}`,
  )
  .join('\n')}`,
  );

export const STYLE = `:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #fdfdfc; --line: #d8dee4; --link: #0a58ca; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ed; --soft: #a3acb7; --paper: #14171b; --line: #333a42; --link: #7db3ff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 1rem; }
a { color: var(--link); }
code { font: 0.9em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 3rem 0 0; color: var(--soft); font-weight: 600; }
h3 { display: flex; gap: 0.75rem; flex-wrap: wrap; align-items: baseline; font-size: 1.05rem; margin: 0; }
h3 a { text-decoration: none; min-width: 0; }
h3 span { color: var(--soft); font-weight: 400; font-variant-numeric: tabular-nums; }
p { margin: 0.5rem 0 0; }
ul { padding-left: 1.25rem; }
nav { margin-top: 1.5rem; padding: 0.75rem 1rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; }
nav p { display: grid; grid-template-columns: 2.5rem minmax(0, 1fr); }
nav span { display: flex; flex-wrap: wrap; gap: 0.1rem 0.9rem; }
nav a { text-decoration: none; }
nav a:hover, nav a:focus { text-decoration: underline; }
nav b { font-variant-numeric: tabular-nums; }
@media (max-width: 30rem) {
  nav p { display: block; }
  nav span { display: block; columns: 14rem; }
  nav a { display: block; font-size: 0.9rem; }
}
section { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); scroll-margin-top: 0.5rem; }
section:target { outline: 2px solid var(--link); outline-offset: 0.5rem; border-top-color: transparent; }
.message { font-style: italic; }
.where, details { margin-top: 0.75rem; color: var(--soft); font-size: 0.9rem; }
summary { cursor: pointer; }
details ul { margin: 0.25rem 0 0; }
`;
