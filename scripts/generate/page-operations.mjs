// What the dashboard needs to know about operations at run time.

/** @typedef {{ paths: Record<string, Record<string, any>> }} Document */

/** @returns {string} the text of console/src/generated/operations.ts */
export function pageOperations(/** @type {Document} */ { paths }, /** @type {string} */ banner) {
  const operations = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/console/'))
    .flatMap(([, methods]) => Object.values(methods));
  const names = operations
    .filter(({ parameters = [] }) =>
      parameters.some((/** @type {any} */ each) => each.in === 'query' && each.name === 'environment'),
    )
    .map(({ operationId }) => operationId);
  return `// ${banner}
/** The operations of the console about the data of one environment. Those of \`/v1\` all are. */
export const IN_ENVIRONMENT: ReadonlySet<string> = new Set([
${names.map((name) => `  '${name}',`).join('\n')}
]);
`;
}
