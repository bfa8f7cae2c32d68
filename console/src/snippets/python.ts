import { doubleQuoted, literal, PYTHON_SYNTAX } from './literal';
import { addressOf, headersOf, KEY_VARIABLE, ORIGIN_VARIABLE, type WrittenRequest } from './request';

/** With the package `requests`. */
export function python(request: WrittenRequest): string {
  const { method, body, query, origin, needsKey = true } = request;
  const address = addressOf({ ...request, query: {} });
  const url =
    origin === undefined
      ? `os.environ["${ORIGIN_VARIABLE}"] + ${doubleQuoted(address)}`
      : doubleQuoted(origin + address);
  const headers = [
    ...(needsKey ? [`"Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}"`] : []),
    // `json` sets the type of the body.
    ...headersOf(request)
      .filter(([name]) => name !== 'Content-Type' || body === null)
      .map(([name, value]) => `${doubleQuoted(name)}: ${doubleQuoted(value)}`),
  ];
  const parameters = Object.entries(query ?? {}).map(([name, value]) => [
    name,
    // Python writes `True`.
    typeof value === 'boolean' ? String(value) : value,
  ]);
  const args = [
    url,
    ...(headers.length === 0
      ? []
      : headers.length === 1
        ? [`headers={${headers[0]}}`]
        : [`headers={\n        ${headers.join(',\n        ')},\n    }`]),
    ...(parameters.length === 0
      ? []
      : [`params=${literal(Object.fromEntries(parameters), PYTHON_SYNTAX, '    ', 8)}`]),
    // `json=None` would send no body.
    ...(body === undefined
      ? []
      : [body === null ? 'data="null"' : `json=${literal(body, PYTHON_SYNTAX, '    ', 6)}`]),
    'timeout=30',
  ];
  return [
    ...(needsKey || origin === undefined ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...args.map((argument) => `    ${argument},`),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n');
}
