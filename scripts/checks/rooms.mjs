// Fails if a room imports a file of another room that is not its front door, or if rooms import each other in a circle. Rooms are the
// folders of a building and the files beside them. The front door is the file with the folder's name, such as `users/users.tsx`: what
// others may know of a page. An open room is what all pages are made of, so each of its files is a door.
// knots.json lists the imports that still break these rules. It may only shrink: an exception that is not needed is a failure, and
// `--write` removes it. Without the exceptions in `circles`, the rooms have an order.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { root } from '../setup.mjs';
import { trackedFiles } from '../tracked-files.mjs';

/** @typedef {{ from: string, to: string }} Import of a file by another, both below the building */
/** @typedef {{ doors?: Record<string, string[]>, circles?: Record<string, string[]> }} Knots `doors` names rooms by the file that they import, `circles` rooms by the room that imports them */
/** @typedef {{ hasDoors: boolean, open: readonly string[] }} Building `hasDoors` is false where .dependency-cruiser.cjs has the rule of front doors */

/** @type {Record<string, Building>} */
const BUILDINGS = {
  'console/src/dashboard': { hasDoors: true, open: ['nouns', 'operations', 'records'] },
  'console/src/phone': { hasDoors: true, open: ['language', 'parts', 'vault'] },
  'server/src/features': { hasDoors: false, open: [] },
};

const LIST = join(root, 'scripts', 'checks', 'knots.json');

const roomOf = (/** @type {string} */ file) => file.split('/', 1)[0];

/** @returns {Import[]} those between two rooms, without tests. */
function importsIn(/** @type {string} */ building, /** @type {readonly string[]} */ files) {
  return files
    .filter((file) => file.startsWith(`${building}/`) && /(?<!\.test)\.tsx?$/.test(file))
    .flatMap((file) =>
      ts.preProcessFile(readFileSync(join(root, file), 'utf8')).importedFiles.flatMap(({ fileName }) => {
        if (!fileName.startsWith('.')) return [];
        const path = posix.join(posix.dirname(file), fileName).replace(/\.js$/, '');
        const candidates = path.endsWith('.css') ? [path] : [`${path}.ts`, `${path}.tsx`];
        const found = candidates.find((each) => existsSync(join(root, each)));
        if (!found?.startsWith(`${building}/`)) return [];
        const [from, to] = [file, found].map((each) => each.slice(building.length + 1));
        return roomOf(from) === roomOf(to) ? [] : [{ from, to }];
      }),
    );
}

/** @returns {{ problems: string[], spare: [kind: keyof Knots, key: string, value: string][] }} what is wrong, and the exceptions that are not needed */
export function judge(
  /** @type {readonly Import[]} */ imports,
  /** @type {Building} */ { hasDoors, open },
  /** @type {Knots} */ { doors = {}, circles = {} },
) {
  const past = (hasDoors ? imports : []).filter(({ from, to }) => {
    const room = roomOf(to);
    // The files beside the rooms put them together, such as the list of pages.
    if (!from.includes('/') || !to.includes('/') || open.includes(room)) return false;
    return to.replace(/\.tsx?$/, '') !== `${room}/${room}`;
  });
  const edges = new Set(imports.map(({ from, to }) => `${roomOf(from)} ${roomOf(to)}`));
  /** @type {Map<string, string[]>} */
  const graph = new Map();
  for (const [from, to] of [...edges].map((edge) => edge.split(' ')))
    if (!circles[from]?.includes(to)) graph.set(from, [...(graph.get(from) ?? []), to]);

  const isPast = (/** @type {string} */ file, /** @type {string} */ room) =>
    past.some(({ from, to }) => to === file && roomOf(from) === room);
  const closesCircle = (/** @type {string} */ from, /** @type {string} */ to) =>
    edges.has(`${from} ${to}`) && shortestPath(graph, to, from) !== undefined;
  return {
    problems: [
      ...past
        .filter(({ from, to }) => !doors[to]?.includes(roomOf(from)))
        .map(({ from, to }) => `${from} imports ${to}, which is not the front door of ${roomOf(to)}`),
      ...circlesOf(graph).map((rooms) => `a circle: ${rooms.join(' → ')}`),
    ],
    spare: [
      ...pairs(doors).flatMap(([to, from]) => (isPast(to, from) ? [] : [['doors', to, from]])),
      ...pairs(circles).flatMap(([from, to]) => (closesCircle(from, to) ? [] : [['circles', from, to]])),
    ],
  };
}

const pairs = (/** @type {Record<string, string[]>} */ list) =>
  Object.entries(list).flatMap(([key, values]) => values.map((value) => [key, value]));

/** One circle of each set of rooms. */
function circlesOf(/** @type {Map<string, string[]>} */ graph) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const [from, tos] of graph)
    for (const to of tos) {
      const rest = shortestPath(graph, to, from);
      if (rest && !found.has(rest.toSorted().join())) found.set(rest.toSorted().join(), [from, ...rest]);
    }
  return [...found.values()];
}

/** @returns {string[] | undefined} the rooms on the way from one to another */
function shortestPath(
  /** @type {Map<string, string[]>} */ graph,
  /** @type {string} */ from,
  /** @type {string} */ to,
) {
  const ways = [[from]];
  const seen = new Set([from]);
  for (const way of ways) {
    const last = way[way.length - 1];
    if (last === to) return way;
    for (const next of graph.get(last) ?? [])
      if (!seen.has(next)) {
        seen.add(next);
        ways.push([...way, next]);
      }
  }
  return undefined;
}

if (process.argv[1] === import.meta.filename) {
  const files = trackedFiles();
  const knots = JSON.parse(readFileSync(LIST, 'utf8'));
  for (const [building, rules] of Object.entries(BUILDINGS)) {
    const imports = importsIn(building, files);
    const judged = () => judge(imports, rules, knots[building]);
    // One at a time, because each may be what makes another one needed.
    while (process.argv.includes('--write') && judged().spare.length > 0) {
      const [kind, key, value] = judged().spare[0];
      const list = knots[building][kind];
      list[key] = list[key].filter((/** @type {string} */ each) => each !== value);
      if (list[key].length === 0) delete list[key];
    }
    const { problems, spare } = judged();
    const shown = [...problems, ...spare.map((each) => `an exception that is not needed: ${each.join(' ')}`)];
    for (const problem of shown) console.error(`${building}: ${problem}`);
    if (shown.length > 0) process.exitCode = 1;
  }
  if (process.argv.includes('--write')) writeFileSync(LIST, `${JSON.stringify(knots, null, 2)}\n`);
}
