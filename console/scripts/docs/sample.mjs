// Generates a curl call for an operation from the contract's examples.
import { Text, WRITERS } from '../samples/writers.mjs';

/** @typedef {import('./reference.mjs').Operation} Operation */

/** @type {Record<string, [name: string, value: Text]>} */
const CREDENTIALS = {
  bearerKey: ['Authorization', new Text(['Bearer ', { variable: 'KEY' }])],
  consoleToken: ['Authorization', new Text(['Bearer ', { variable: 'TOKEN' }])],
  deviceSession: ['Authorization', new Text(['Bearer ', { variable: 'DEVICE_SESSION' }])],
  staffSession: ['Authorization', new Text(['Bearer ', { variable: 'STAFF_TOKEN' }])],
  desk: ['X-Device-Session', new Text([{ variable: 'DEVICE_SESSION' }])],
  adminKey: ['X-API-Key', new Text([{ variable: 'ADMIN_API_KEY' }])],
};

export function sampleOf(/** @type {Operation} */ operation) {
  const { method, path, parameters = [], security, requestBody } = operation;
  // All of the first way.
  const credentials = Object.keys(security[0] ?? {});
  const body = requestBody?.content['application/json']?.example;
  // The only optional header that is a credential. A session token may also be sent as a bearer token.
  const needed = parameters.filter((/** @type {any} */ it) => it.required || it.name === 'X-Session-Token');
  const inPlace = (/** @type {string} */ place) => needed.filter((/** @type {any} */ it) => it.in === place);
  const cookies = inPlace('cookie').map((/** @type {any} */ it) => `${it.name}=${it.example}`);
  const request = {
    method: method.toUpperCase(),
    path: [filled(path, inPlace('path'))],
    query: inPlace('query').map((/** @type {any} */ it) => [it.name, it.example]),
    headers: [
      ...credentials.map((name) => CREDENTIALS[name]),
      ...inPlace('header').map((/** @type {any} */ it) => [it.name, String(it.example)]),
      ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')]] : []),
      ...(body === undefined ? [] : [['Content-Type', 'application/json']]),
    ],
    body,
    takes: [],
  };
  return WRITERS.curl({ base: { variable: 'BASE_URL' }, requests: [request], settings: [], unset: [] });
}

const filled = (/** @type {string} */ path, /** @type {any[]} */ parameters) =>
  parameters.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(example)),
    path,
  );
