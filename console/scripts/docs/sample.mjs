// Generates a curl call for an operation from the contract's examples.

/** @typedef {import('./reference.mjs').Operation} Operation */

const CREDENTIALS = {
  bearerKey: '-H "Authorization: Bearer $KEY"',
  consoleToken: '-H "Authorization: Bearer $TOKEN"',
  adminKey: '-H "X-API-Key: $ADMIN_API_KEY"',
};

export function sampleOf(/** @type {Operation} */ operation) {
  const { method, path, parameters = [], security, requestBody } = operation;
  const [credential] = security.flatMap((/** @type {object} */ entry) => Object.keys(entry));
  const json = requestBody?.content['application/json'];
  const hasBody = json?.example !== undefined;
  // The only optional header that is a credential. A session token may also be sent as a bearer token.
  const needed = parameters.filter((/** @type {any} */ it) => it.required || it.name === 'X-Session-Token');
  const inPlace = (/** @type {string} */ place) => needed.filter((/** @type {any} */ it) => it.in === place);
  const query = inPlace('query').map(
    (/** @type {any} */ it) => `${it.name}=${encodeURIComponent(it.example)}`,
  );
  const address = `${filled(path, inPlace('path'))}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const implied = hasBody ? 'post' : 'get';
  const first = ['curl -s', method !== implied && `-X ${method.toUpperCase()}`, `"$BASE_URL${address}"`];
  const more = [
    credential && CREDENTIALS[/** @type {keyof typeof CREDENTIALS} */ (credential)],
    ...inPlace('header').map((/** @type {any} */ it) => `-H ${quoted(`${it.name}: ${it.example}`)}`),
    ...inPlace('cookie').map((/** @type {any} */ it) => `-H ${quoted(`Cookie: ${it.name}=${it.example}`)}`),
    hasBody && "-H 'Content-Type: application/json'",
    hasBody && `-d ${quoted(JSON.stringify(json.example))}`,
  ];
  return [first.filter(Boolean).join(' '), ...more.filter(Boolean)].join(' \\\n  ');
}

const filled = (/** @type {string} */ path, /** @type {any[]} */ parameters) =>
  parameters.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(example)),
    path,
  );

const quoted = (/** @type {string} */ text) => `'${text.replaceAll("'", `'\\''`)}'`;
