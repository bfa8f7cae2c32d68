// The text of contract/openapi.json: one line for each operation and each component, so that a difference names what changed.

/** How many levels below a member of the document get lines of their own. */
const LEVELS = new Map([
  ['tags', 1],
  ['paths', 2],
  ['webhooks', 2],
  ['components', 2],
]);

/** @returns {string} JSON, with a newline at the end */
export function openApiText(/** @type {Record<string, unknown>} */ document) {
  const members = Object.entries(document).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${linesOf(value, LEVELS.get(name) ?? 0, '  ')}`,
  );
  return `{\n${members.join(',\n')}\n}\n`;
}

/** @returns {string} */
function linesOf(/** @type {unknown} */ value, /** @type {number} */ levels, /** @type {string} */ indent) {
  if (levels === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(
    ([name, child]) =>
      `${inner}${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${linesOf(child, levels - 1, inner)}`,
  );
  return lines.length === 0 ? open + close : `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
