/** For text and for attributes, of HTML and of XML. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const hidden = (fields: Readonly<Record<string, string | undefined>>) =>
  Object.entries(fields)
    .filter((field): field is [string, string] => field[1] !== undefined)
    .map(
      ([name, value]) => `<input type="hidden" name="${escapeMarkup(name)}" value="${escapeMarkup(value)}">`,
    )
    .join('\n');

const layout = (body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulated identity provider</title>
<link rel="stylesheet" href="/docs/plain.css">
</head>
<body>
<main>
<h1>Simulated identity provider</h1>
${body}
</main>
</body>
</html>
`;

/** Asks who to be. A form that fetches, so that the server takes form bodies in one place only. */
export const choosePage = (path: string, request: Readonly<Record<string, string | undefined>>): string =>
  layout(`<p>This is a simulation: it checks nothing, and you may be anybody.</p>
<form method="get" action="${escapeMarkup(path)}">
${hidden(request)}
<p><label for="subject">Sign in as</label> <input id="subject" name="subject" required maxlength="200"></p>
<p><button>Sign in</button></p>
</form>`);

/** Lets the browser carry a SAML answer on, by hand: no script runs on these pages. */
export const postPage = (acsUrl: string, fields: Readonly<Record<string, string | undefined>>): string =>
  layout(`<p>Signed in. Continue to the service that asked.</p>
<form method="post" action="${escapeMarkup(acsUrl)}">
${hidden(fields)}
<p><button>Continue</button></p>
</form>`);

/** The pages' policy: nothing but our own style, and forms that lead here and to the one allowed target. */
export const pagePolicy = (target: string): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action 'self' ${new URL(target).origin}`,
  ].join(';');
