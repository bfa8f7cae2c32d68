import type { Route } from './route.js';

const MAX_LENGTH = 80;
const MAX_DISTANCE = 2;

/**
 * Finds the path of the documented route that an unknown path was probably meant to be. Admin, deprecated and simulated
 * routes are never suggested, because the server does not reveal which of them are enabled.
 */
export function nearestPathOf(routes: readonly Route[]): (path: string) => string | undefined {
  const isPublic = ({ auth, successor, when }: Route) =>
    auth.kind !== 'admin' && auth.kind !== 'legacy' && !successor && !when;
  const candidates = [...new Set(routes.filter(isPublic).map(({ path }) => path))].map((path) => {
    const name = withoutPrefix(path);
    return { path, prefix: path.slice(0, path.length - name.length), steps: name.toLowerCase().split('/') };
  });
  return (path) => {
    if (path.length > MAX_LENGTH || !/^[\w./:-]+$/.test(path)) return undefined;
    const given = path.toLowerCase().replace(/\/+$/, '');
    const name = withoutPrefix(given);
    const values = name.split('/');
    let nearest: { path: string; rank: number } | undefined;
    for (const { path, prefix, steps } of candidates) {
      // Compare a parameter as equal, because it can be any id.
      const pattern = steps.map((step, at) => (step.startsWith(':') ? (values[at] ?? step) : step)).join('/');
      const apart = distance(name, pattern, MAX_DISTANCE);
      if (apart > MAX_DISTANCE) continue;
      // If two differ only by their prefix, the one with the nearer prefix wins.
      const rank = apart * MAX_LENGTH + distance(given, prefix + pattern, MAX_LENGTH);
      if (nearest === undefined || rank < nearest.rank) nearest = { path, rank };
    }
    return nearest?.path;
  };
}

const withoutPrefix = (path: string) => path.replace(/^(\/api)?(\/v\d+|\/console)?(?=\/)/, '');

/** The edit distance (insert, remove, replace). Any distance above `limit` is returned as `limit + 1`. */
function distance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (row[column - 1] as number) + (left[at - 1] === right[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] as number) + 1, (next[column - 1] as number) + 1));
    }
    if (Math.min(...next) > limit) return limit + 1;
    row = next;
  }
  return row[right.length] as number;
}
