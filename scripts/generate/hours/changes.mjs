// The difference between two lists of lines: lines that are removed or inserted, then values that differ.

/** What a line is about. Lines about the same are compared field by field. */
function keyOf(/** @type {any} */ line) {
  if (typeof line !== 'object' || line === null) return JSON.stringify(line);
  const [name] = Object.keys(line);
  const { id, seq, did, userId } = { ...line, ...line.correction, ...line.entry, ...line.leaf };
  return JSON.stringify([
    name === 'entry' ? 'seq' : name,
    name === 'sheet' ? userId : (seq ?? did ?? id ?? userId),
  ]);
}

/** Changes by which `from` becomes `to`. */
export function changesBetween(/** @type {any[]} */ from, /** @type {any[]} */ to) {
  const [left, right] = [from.map(keyOf), to.map(keyOf)];
  const pairs = common(left, right);
  const lines = [];
  let [at, next] = [0, 0];
  for (const [i, j] of [...pairs, [left.length, right.length]]) {
    if (i > at || j > next) lines.unshift([at, i - at, ...to.slice(next, j)]);
    [at, next] = [i + 1, j + 1];
  }
  const values = pairs.flatMap(([i, j]) => valuesBetween(from[i], to[j], [j]));
  return { ...(lines.length > 0 && { lines }), ...(values.length > 0 && { values }) };
}

/** The longest common subsequence, as pairs of positions. */
function common(/** @type {string[]} */ left, /** @type {string[]} */ right) {
  const best = Array.from({ length: left.length + 1 }, () => Array(right.length + 1).fill(0));
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1)
      best[i][j] = left[i] === right[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
  const pairs = [];
  for (let [i, j] = [0, 0]; i < left.length && j < right.length; )
    if (left[i] === right[j]) pairs.push([i++, j++]);
    else if (best[i + 1][j] >= best[i][j + 1]) i += 1;
    else j += 1;
  return pairs;
}

const isObject = (/** @type {unknown} */ value) => typeof value === 'object' && value !== null;

function valuesBetween(/** @type {any} */ from, /** @type {any} */ to, /** @type {any[]} */ path) {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  const isSame = isObject(from) && isObject(to) && Array.isArray(from) === Array.isArray(to);
  // Fields in another order, or at another place than the end, make another text.
  const changed = isSame && apply(from, to);
  if (!changed || JSON.stringify(changed) !== JSON.stringify(to)) return [[path, to]];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const keys = Array.isArray(from) ? names.map(Number) : names;
  const each = keys.flatMap((key) =>
    Object.hasOwn(to, key) ? valuesBetween(from[key], to[key], [...path, key]) : [[[...path, key]]],
  );
  return JSON.stringify(each).length < JSON.stringify(to).length ? each : [[path, to]];
}

/** `from` with the fields of `to`, in the order in which changes make them. */
function apply(/** @type {any} */ from, /** @type {any} */ to) {
  if (Array.isArray(from)) return from.length === to.length ? to : undefined;
  const kept = Object.keys(from).filter((key) => Object.hasOwn(to, key));
  return Object.fromEntries([...kept, ...Object.keys(to)].map((key) => [key, to[key]]));
}
