import { JSON_SYNTAX, literal } from './literal';
import { addressOf, headersOf, KEY_VARIABLE, ORIGIN_VARIABLE, type WrittenRequest } from './request';

export function curl(request: WrittenRequest): string {
  const { method, body, origin, needsKey = true } = request;
  const address = addressOf(request);
  const implied = body === undefined ? 'GET' : 'POST';
  return [
    [
      'curl',
      ...(method === implied ? [] : [`-X ${method}`]),
      origin === undefined ? `"$${ORIGIN_VARIABLE}${address}"` : quoted(origin + address),
    ].join(' '),
    ...(needsKey ? [`-H "Authorization: Bearer $${KEY_VARIABLE}"`] : []),
    ...headersOf(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(literal(body, JSON_SYNTAX))}`]),
  ].join(' \\\n  ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
