import { encode, type Part, type Sample, searchOf, Text, type WrittenRequest } from './sample';

/** The environment variable with the key, which no snippet contains. */
export const KEY_VARIABLE = 'SVC_API_KEY';
const ORIGIN_VARIABLE = 'BASE_URL';

/** The path with its values, and the query. It needs no quoting in any language, whatever the values are. */
export const addressOf = (request: WrittenRequest): string =>
  pathOf(request) + searchOf({ query: Object.entries(request.query ?? {}) }).join('');

const pathOf = ({ path, pathValues = {} }: WrittenRequest): string =>
  path
    .split(/(\{[^{}]*\})/)
    .map((part) => {
      const name = /^\{(.*)\}$/.exec(part)?.[1];
      const value = name !== undefined && Object.hasOwn(pathValues, name) ? pathValues[name] : undefined;
      return value === undefined ? part.replace(/[^\w\-./~%:@{}]/gu, encode) : encode(value);
    })
    .join('');

/** What the request sends besides its key, by name. */
export const headersOf = ({ headers = {}, body }: WrittenRequest): readonly (readonly [string, string])[] => [
  ...Object.entries(headers),
  ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
];

export function sampleOf(request: WrittenRequest): Sample {
  const { method, query = {}, pathValues = {}, body, origin, needsKey = true, operationId } = request;
  const base: Part = origin ?? { variable: ORIGIN_VARIABLE };
  const key = new Text(['Bearer ', { variable: KEY_VARIABLE }]);
  return {
    base,
    requests: [
      {
        method,
        path: [pathOf(request)],
        query: Object.entries(query),
        headers: [...(needsKey ? [['Authorization', key] as const] : []), ...headersOf(request)],
        body,
        takes: [],
        operation:
          operationId === undefined ? undefined : { operationId, inSdk: true, media: 'json', pathValues },
      },
    ],
    settings: [],
    unset: [...(origin === undefined ? [ORIGIN_VARIABLE] : []), ...(needsKey ? [KEY_VARIABLE] : [])],
  };
}
