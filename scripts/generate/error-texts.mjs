// The texts about error codes in clients, from the records in server/src/model/errors.ts.

/** @typedef {Readonly<Record<string, import('../../server/src/model/errors.js').ErrorRecord>>} Records */

/** @returns {string} the text of sdk/src/generated/errors.ts */
export function sdkErrors(/** @type {Records} */ records, /** @type {string} */ banner) {
  return `// ${banner}
/** Every code that the service returns in \`error\`. */
export type ErrorCode =
${Object.keys(records)
  .map((code) => `  | '${code}'`)
  .join('\n')};

/** What a developer can do about each code. */
export const NEXT_STEPS: Readonly<Record<ErrorCode, string>> = {
${Object.entries(records)
  .map(([code, { next }]) => `  ${code}: ${JSON.stringify(next)},`)
  .join('\n')}
};
`;
}

/** @returns {string} the text of console/src/generated/errors.ts */
export function pageErrors(/** @type {Records} */ records, /** @type {string} */ banner) {
  const shown = Object.entries(records).filter(([, { page }]) => page !== undefined);
  return `// ${banner}
/** The codes for which the pages have a text. */
export type PageCode =
${shown.map(([code]) => `  | '${code}'`).join('\n')};

/** What the pages show for a code, where a person can't act on the service's own message. */
export const PAGE_MESSAGES: Readonly<Record<PageCode, string>> = {
${shown.map(([code, { page }]) => `  ${code}: ${JSON.stringify(page)},`).join('\n')}
};
`;
}

/** @returns {string} the text of cli/src/generated/errors.ts */
export function cliErrors(/** @type {Records} */ records, /** @type {string} */ banner) {
  return `// ${banner}
/** What to do about a code on the command line, where that differs from the SDK's next step. */
export const CLI_NEXT_STEPS: Readonly<Record<string, string>> = {
${Object.entries(records)
  .filter(([, { cli }]) => cli !== undefined)
  .map(([code, { cli }]) => `  ${code}: ${JSON.stringify(cli)},`)
  .join('\n')}
};
`;
}
