/** A string, a sign of JSON's structure, or another value. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Whether an object in this valid JSON has a key twice, of which parsers keep one or the other. */
export function repeatsKey(json: string): boolean {
  /** The keys of each object around the position; undefined for a list. */
  const around: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') around.push(token === '{' ? new Set() : undefined);
    else if (token === '}' || token === ']') around.pop();
    const keys = around.at(-1);
    if (isKey && keys !== undefined && token.startsWith('"')) {
      const key = JSON.parse(token) as string;
      if (keys.has(key)) return true;
      keys.add(key);
    }
    isKey = token === '{' || (token === ',' && keys !== undefined);
  }
  return false;
}
