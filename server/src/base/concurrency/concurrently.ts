/**
 * Like `Promise.all(items.map(work))`, but at most that many run at the same time. After a failure no more are started, and
 * it throws when those that were started have ended.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const rest = items.entries();
  const runRest = async () => {
    for (const [at, item] of rest) {
      if (failures.length > 0) return;
      try {
        results[at] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, runRest));
  if (failures.length > 0) throw failures[0];
  return results;
}
