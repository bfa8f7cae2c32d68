import type { ERRORS } from '../../kernel/errors.js';

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

/** What to do about a failure, by status; a code's own sentence says what it is. */
const ADVICE: Readonly<Record<number, string>> = {
  400: 'Change the request as <code>details</code> says; sending it again unchanged fails again.',
  401: 'Check the credential or the proof that was sent.',
  403: 'The credential is good but may not do this: use a key with the scope, or another plan.',
  404: 'Check the id, and that the key is of the environment where the record lives.',
  405: 'Use a method of the <code>Allow</code> header.',
  409: 'Something already stands in the way: read it, then decide.',
  413: 'Send less.',
  415: 'Send JSON.',
  429: 'Wait for the seconds in <code>Retry-After</code>.',
  500: 'Report it with the <code>requestId</code>.',
  503: 'Try again after the seconds in <code>Retry-After</code>. An overloaded service spent nothing; where a connection broke, an <code>Idempotency-Key</code> makes repeating a write safe.',
};

export const errorPage = (errors: typeof ERRORS) =>
  layout(
    'Errors',
    `<h1>Errors</h1>
<p>Every failure is <code>{ error, message, docs, requestId, details? }</code>. Decide by <code>error</code>; show
<code>message</code> to people; quote <code>requestId</code> when you ask for help.</p>
<dl>
${Object.entries(errors)
  .map(
    ([code, [status, message]]) =>
      `<dt id="${code}"><a href="#${code}"><code>${code}</code></a> <span>${status}</span></dt>
<dd>${escapeHtml(message)} ${ADVICE[status] ?? ''}</dd>`,
  )
  .join('\n')}
</dl>`,
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
dt { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); display: flex; gap: 0.75rem; flex-wrap: wrap; align-items: baseline; }
dt:target { outline: 2px solid var(--link); outline-offset: 0.35rem; }
dt a { text-decoration: none; font-weight: 600; }
dt span { color: var(--soft); font-variant-numeric: tabular-nums; }
dd { margin: 0.25rem 0 0; }
`;
