type Key = Readonly<Record<string, unknown>>;

const isKey = (value: unknown): value is Key =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Public keys as people have them: a JWKS, a list of keys, or one key. Undefined if the text is none of these. The service checks the
 * keys themselves.
 */
export function readJwks(text: string): { readonly keys: readonly Key[] } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const keys = isKey(value) ? ('keys' in value ? value.keys : [value]) : value;
  return Array.isArray(keys) && keys.length > 0 && keys.every(isKey) ? { keys } : undefined;
}

/** `body.jwks.keys[1].kid` is the second key. */
const KEY_PATH = /^body\.jwks\.keys\[(\d+)\](?:\.(\w+))?$/;

/** What the service says about the keys, as text about the field. */
export function problemOfKeys(
  details: readonly { readonly path: string; readonly message: string }[],
): string | undefined {
  const detail = details.find(({ path }) => path.startsWith('body.jwks'));
  if (detail === undefined) return undefined;
  const [, at, member] = KEY_PATH.exec(detail.path) ?? [];
  if (at === undefined) return `Public keys ${detail.message}.`;
  return `Key ${Number(at) + 1}${member === undefined ? '' : `: ${member}`} ${detail.message}.`;
}
