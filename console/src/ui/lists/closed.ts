const OPEN = /[\u2066-\u2068]/;
const CLOSE = '\u2069';

/**
 * Text whose marks of direction end with it. `<bdi>` isolates what somebody typed, but text with an isolate that it does not close, or
 * closes twice, would end that of the element instead, and turn the words around it.
 */
export function closed(text: string): string {
  if (!OPEN.test(text) && !text.includes(CLOSE)) return text;
  let open = 0;
  const kept = [...text].filter((character) => {
    if (OPEN.test(character)) open += 1;
    if (character !== CLOSE) return true;
    if (open === 0) return false;
    open -= 1;
    return true;
  });
  return kept.join('') + CLOSE.repeat(open);
}
