import { literal, singleQuoted, TYPESCRIPT_SYNTAX } from './literal';
import { addressOf, headersOf, KEY_VARIABLE, ORIGIN_VARIABLE, type WrittenRequest } from './request';

/** With the SDK, or with `fetch` what the SDK can't send. */
export function typescript(request: WrittenRequest): string {
  const { operationId, headers = {} } = request;
  const isOfSdk = Object.keys(headers).every((name) => name === 'Idempotency-Key');
  return operationId !== undefined && isOfSdk ? withSdk(request, operationId) : withFetch(request);
}

function withSdk(request: WrittenRequest, operationId: string): string {
  const { pathValues, query, body, headers = {}, origin, needsKey = true } = request;
  const isFilled = (values: object | undefined) => values !== undefined && Object.keys(values).length > 0;
  const input = {
    ...(isFilled(pathValues) && { path: pathValues }),
    ...(isFilled(query) && { query }),
    ...(body !== undefined && { body }),
  };
  const key = headers['Idempotency-Key'];
  // With a default, because the type of a variable includes undefined.
  const baseUrl =
    origin === undefined ? `${variable(ORIGIN_VARIABLE)} ?? 'http://localhost:3000'` : singleQuoted(origin);
  const settings = needsKey ? `baseUrl, apiKey: ${variable(KEY_VARIABLE)}` : 'baseUrl';
  const call = `const reply = await svc.request(${singleQuoted(operationId)}, `;
  return [
    "import { Svc } from '@svc/sdk';",
    '',
    `const baseUrl = ${baseUrl};`,
    `const svc = new Svc({ ${settings} });`,
    '',
    `${call}${literal(input, TYPESCRIPT_SYNTAX, '', call.length)}${key === undefined ? '' : `, ${literal({ idempotencyKey: key }, TYPESCRIPT_SYNTAX)}`});`,
    'console.log(reply);',
  ].join('\n');
}

function withFetch(request: WrittenRequest): string {
  const { method, body, origin, needsKey = true } = request;
  const address = addressOf(request);
  const url =
    origin === undefined ? `\`\${${variable(ORIGIN_VARIABLE)}}${address}\`` : singleQuoted(origin + address);
  const headers = [
    ...(needsKey ? [`Authorization: \`Bearer \${${variable(KEY_VARIABLE)}}\``] : []),
    ...headersOf(request).map(([name, value]) => `${TYPESCRIPT_SYNTAX.name(name)}: ${singleQuoted(value)}`),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${singleQuoted(method)},`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers.map((header) => `    ${header},`), '  },']),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, TYPESCRIPT_SYNTAX, '  ', 22)}),`]),
  ];
  const more = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return [
    `const response = await fetch(${url}${more});`,
    'console.log(response.status, await response.text());',
  ].join('\n');
}

const variable = (name: string): string => `process.env.${name}`;
