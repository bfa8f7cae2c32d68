/** Escapes text and attributes of HTML and XML. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

type Fields = Readonly<Record<string, string | undefined>>;

const hidden = (fields: Fields) =>
  Object.entries(fields)
    .filter((field): field is [string, string] => field[1] !== undefined)
    .map(
      ([name, value]) => `<input type="hidden" name="${escapeMarkup(name)}" value="${escapeMarkup(value)}">`,
    )
    .join('\n');

const layout = (stylesheet: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulated identity provider</title>
<link rel="stylesheet" href="${escapeMarkup(stylesheet)}">
</head>
<body>
<main>
<h1>Simulated identity provider</h1>
${body}
</main>
</body>
</html>
`;

/** The provider's two pages. No script runs on them. `stylesheet` is a path on the same origin. */
export const createPages = (stylesheet: string) => ({
  /** Asks which subject to sign in as. The form uses GET, so that the provider never reads form bodies. */
  choosePage: (path: string, request: Fields): string =>
    layout(
      stylesheet,
      `<p>This is a simulation: it checks nothing, and you can sign in as any user.</p>
<form method="get" action="${escapeMarkup(path)}">
${hidden(request)}
<p><label for="subject">Sign in as</label> <input id="subject" name="subject" required maxlength="200"></p>
<p><button>Sign in</button></p>
</form>`,
    ),

  /** The user posts a SAML response to the service provider with a button. */
  postPage: (acsUrl: string, fields: Fields): string =>
    layout(
      stylesheet,
      `<p>Signed in. Continue to the service.</p>
<form method="post" action="${escapeMarkup(acsUrl)}">
${hidden(fields)}
<p><button>Continue</button></p>
</form>`,
    ),
});

/** The Content-Security-Policy of the pages: our own style sheet, and forms to this origin and to `target`. */
export const pagePolicy = (target: string): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action 'self' ${new URL(target).origin}`,
  ].join(';');
