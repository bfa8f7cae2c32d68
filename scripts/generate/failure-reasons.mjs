// Why verifications fail, from server/src/model/failure-reasons.ts.

/** @returns {string} the text of sdk/src/generated/failure-reasons.ts */
export const sdkFailureReasons = (
  /** @type {readonly string[]} */ reasons,
  /** @type {string} */ banner,
) => `// ${banner}
/** The reasons of failed verifications that this version of the service records. The records of an account have any text. */
export type FailureReason =
${reasons.map((reason) => `  | '${reason}'`).join('\n')};
`;
