import { JSON_SYNTAX, literal } from './literal';
import { joined, type Part, partsOf, type Sample, type SampleRequest, searchOf } from './sample';

export const curl = ({ base, requests }: Sample): string =>
  requests.map((request) => callOf(base, request)).join('\n');

function callOf(base: Part, request: SampleRequest): string {
  const { method, path, headers, body } = request;
  const implied = body === undefined ? 'GET' : 'POST';
  return [
    [
      'curl -s',
      ...(method === implied ? [] : [`-X ${method}`]),
      quoted([base, ...path, ...searchOf(request)]),
    ].join(' '),
    ...headers.map(([name, value]) => `-H ${quoted([`${name}: `, ...partsOf(value)])}`),
    ...(body === undefined ? [] : [`-d ${quoted([literal(body, JSON_SYNTAX)])}`]),
  ].join(' \\\n  ');
}

/** In single quotes, or in double quotes if it has variables. */
function quoted(text: readonly Part[]): string {
  const parts = joined(text);
  if (parts.every((part) => typeof part === 'string')) return `'${parts.join('').replaceAll("'", "'\\''")}'`;
  const inside = parts.map((part) => {
    if (typeof part === 'string') return part.replaceAll(/["\\$`]/g, '\\$&');
    return 'variable' in part ? `$${part.variable}` : '$(date +%s)';
  });
  return `"${inside.join('')}"`;
}
