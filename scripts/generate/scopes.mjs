// The scopes that the dashboard needs to know, from server/src/model/scopes.ts.

const list = (/** @type {readonly string[]} */ scopes) =>
  `[\n${scopes.map((scope) => `  '${scope}',`).join('\n')}\n]`;

/** @returns {string} the text of console/src/generated/scopes.ts */
export const pageScopes = (
  /** @type {readonly string[]} */ defaults,
  /** @type {readonly string[]} */ ofOwners,
  /** @type {string} */ banner,
) => `// ${banner}
import type { ApiKey } from '@svc/sdk';

type Scopes = ApiKey['scopes'];

/** The scopes selected for a new key. */
export const DEFAULT_SCOPES: Scopes = ${list(defaults)};

/** Of keys that only owners make, change, rotate and revoke. */
export const OWNER_SCOPES: Scopes = ${list(ofOwners)};
`;
