// The types of events, from the audit actions in server/src/model/audit-actions.ts.

/** @returns {string} the text of sdk/src/generated/event-types.ts */
export const sdkEventTypes = (
  /** @type {Readonly<Record<string, string>>} */ actions,
  /** @type {string} */ banner,
) => `// ${banner}
/** The types of events that this version knows: the actions of the audit log. */
export type EventType =
${Object.keys(actions)
  .map((action) => `  | '${action}'`)
  .join('\n')};
`;

/** @returns {string} the text of console/src/generated/event-types.ts, what the dashboard offers for webhooks */
export const pageEventTypes = (
  /** @type {Readonly<Record<string, string>>} */ actions,
  /** @type {string} */ banner,
) => `// ${banner}
/** Every type of event, and what it means. */
export const EVENT_TYPES: Readonly<Record<string, string>> = {
${Object.entries(actions)
  .map(([action, summary]) => `  '${action}': ${JSON.stringify(summary)},`)
  .join('\n')}
};
`;
