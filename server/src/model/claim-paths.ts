/** The value at a path such as `metadata.work.site`. Undefined where nothing is, also below a text or a list. */
export function valueAt(metadata: unknown, path: string): unknown {
  let value = metadata;
  for (const name of path.split('.').slice(1)) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    if (!isThere || Array.isArray(value)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
