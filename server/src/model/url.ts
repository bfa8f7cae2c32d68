/** The URL in a text, or undefined. `URL.canParse` of Node 20 rejects valid URLs with characters such as ü, once it is optimized. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
