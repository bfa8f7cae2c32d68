// Fails if the API has a breaking change that the changelog does not announce. Compares contract/openapi.json with that of the newest
// release, or else of the commit where this branch began. An entry announces it by its operation: `- **Breaking:** GET /v1/users …`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFromString, createConfig } from '@redocly/openapi-core';
import { unreleasedEntries } from '../changelog.mjs';
import { root } from '../setup.mjs';
import { baseCommit, tryGit } from '../testing/changed-files.mjs';

/** @typedef {any} Json a part of the earlier document, or the same of the later one */
/** @typedef {(before: Json, after: Json) => string[]} Compare what a client may fail on */
/** @typedef {'sent' | 'received'} Direction as the client sees it */

const FILE = 'contract/openapi.json';
const MINIMA = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const MAXIMA = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** Another value of these may exclude something. */
const EXACT = ['pattern', 'format', 'multipleOf'];

/** @type {(value: unknown) => any[]} */
const list = (value) => (value === undefined ? [] : [value].flat());
/** @type {(all: any[], others: any[]) => any[]} */
const without = (all, others) => all.filter((each) => !others.includes(each));
/** @type {Compare} */
const withoutFields = (before, after) =>
  without(Object.keys(before.properties ?? {}), Object.keys(after.properties ?? {}));
/** @type {(before: Json, after: Json, compare: (name: string, before: Json, after: Json) => string[]) => string[]} */
const members = (before = {}, after = {}, compare) =>
  Object.keys(before).flatMap((name) => compare(name, before[name], after[name]));

/** @returns {string[]} such as `GET /v1/users: …` */
export async function breakingChanges(/** @type {string} */ earlier, /** @type {string} */ later) {
  const config = await createConfig({});
  const bundles = [earlier, later].map((source) => bundleFromString({ source, config, dereference: true }));
  const [before, after] = (await Promise.all(bundles)).map(({ bundle }) => bundle.parsed);
  return [
    ...members(before.paths, after.paths, (path, old, now) =>
      members(old, now, (method, was, is) =>
        operationChanges(was, is).map((what) => `${method.toUpperCase()} ${path}: ${what}`),
      ),
    ),
    ...members(before.webhooks, after.webhooks, (name, old, now) => {
      const found = contentChanges('received')(old.post.requestBody, now?.post.requestBody);
      return found.map((what) => `webhook ${name}: ${what}`);
    }),
  ];
}

/** @type {Compare} */
function operationChanges(before, after) {
  if (after === undefined) return ['the operation is removed'];
  const [earlier, later] = [before, after].map(({ parameters }) =>
    Object.fromEntries(list(parameters).map((each) => [`${each.in} parameter ${each.name}`, each])),
  );
  const required = Object.keys(later).filter((name) => later[name].required && !earlier[name]?.required);
  return [
    ...(before['x-scope'] === after['x-scope'] ? [] : [`needs the scope ${after['x-scope']}`]),
    ...required.map((name) => `${name} is required`),
    ...members(earlier, later, (name, was, is) =>
      is === undefined ? [`${name} is removed`] : schemaChanges('sent', name)(was.schema, is.schema),
    ),
    ...(after.requestBody?.required && !before.requestBody?.required ? ['a body is required'] : []),
    ...contentChanges('sent')(before.requestBody, after.requestBody),
    ...members(before.responses, after.responses, (status, was, is) => {
      if (!status.startsWith('2')) return [];
      return is === undefined ? [`${status} is removed`] : contentChanges('received')(was, is);
    }),
  ];
}

/** @type {(direction: Direction) => Compare} */
const contentChanges = (direction) => (before, after) =>
  members(before?.content, after?.content, (type, old, now) =>
    now === undefined ? [`${type} is removed`] : schemaChanges(direction, 'body')(old.schema, now.schema),
  );

/**
 * What was sent must still be accepted. What is received must be as before, but may have new fields and values.
 * @type {(direction: Direction, at: string) => Compare}
 */
const schemaChanges = (direction, at) => (before, after) => {
  const [olds, news] = [before.anyOf ?? [before], after.anyOf ?? [after]];
  /** @type {Compare} */
  const compare = (old, now) => [
    ...(direction === 'sent' ? narrowed(old, now) : lost(old, now)),
    ...members(old.properties, now.properties, (name, was, is) =>
      is === undefined ? [] : schemaChanges(direction, `.${name}`)(was, is),
    ),
    ...['items', 'additionalProperties'].flatMap((key) =>
      typeof old[key] === 'object' && typeof now[key] === 'object'
        ? schemaChanges(direction, '[]')(old[key], now[key])
        : [],
    ),
  ];
  // Of several alternatives, the one that fits best counts.
  const [all, others] = direction === 'sent' ? [olds, news] : [news, olds];
  return all
    .map((/** @type {Json} */ one) =>
      others.map((/** @type {Json} */ other) => (all === olds ? compare(one, other) : compare(other, one))),
    )
    .flatMap((/** @type {string[][]} */ found) => found.sort((left, right) => left.length - right.length)[0])
    .map((/** @type {string} */ what) => `${at}${what}`);
};

/** What a request can no longer have. @type {Compare} */
function narrowed(before, after) {
  const types = without(list(before.type ?? 'anything'), list(after.type ?? before.type ?? 'anything'));
  if (types.length > 0) return types.map((type) => ` can't be ${type}`);
  const [old, now] = [before, after].map((each) => each.enum ?? ('const' in each ? [each.const] : undefined));
  const removed = after.additionalProperties === false ? withoutFields(before, after) : [];
  const limits = [
    ...MINIMA.filter((key) => after[key] > (before[key] ?? -Infinity)),
    ...MAXIMA.filter((key) => after[key] < (before[key] ?? Infinity)),
    ...EXACT.filter((key) => key in after && after[key] !== before[key]),
  ];
  return [
    ...(now ? without(old ?? ['anything else'], now).map((value) => ` can't be ${value}`) : []),
    ...limits.map((key) => ` has ${key} ${after[key]}`),
    ...without(list(after.required), list(before.required)).map((name) => `.${name} is required`),
    ...removed.map((name) => `.${name} is removed`),
  ];
}

/** What a response no longer promises. @type {Compare} */
function lost(before, after) {
  const removed = withoutFields(before, after);
  const optional = without(list(before.required), [...list(after.required), ...removed]);
  return [
    ...without(list(after.type), list(before.type ?? after.type)).map((type) => ` can be ${type}`),
    ...removed.map((name) => `.${name} is removed`),
    ...optional.map((name) => `.${name} can be absent`),
  ];
}

/** The changes that no entry for a breaking change names by their operation. */
export function unannounced(/** @type {string[]} */ changes, /** @type {string[]} */ entries) {
  const named = entries
    .filter((entry) => entry.startsWith('**Breaking:**'))
    .flatMap((entry) => entry.replaceAll('`', '').match(/\b([A-Z]+|webhook) \S*\w/g) ?? []);
  return changes.filter((change) => !named.includes(change.split(':')[0].replace(/\{(\w+)\}/g, ':$1')));
}

if (process.argv[1] === import.meta.filename) {
  const release = tryGit(root, ['describe', '--tags', '--match=v[0-9]*', '--abbrev=0']);
  const base = release ?? baseCommit(root) ?? 'HEAD';
  const later = readFileSync(join(root, FILE), 'utf8');
  const earlier = tryGit(root, ['show', `${base}:${FILE}`]) ?? later;
  const found = unannounced(await breakingChanges(earlier, later), unreleasedEntries());
  for (const change of found) console.error(`${change} (breaking since ${base}, not in changes/)`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
