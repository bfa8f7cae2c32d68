/** `did:svc:` and 1 to 128 hex digits (DECISIONS §2). Any case on input, lower-case at rest. */
export const DID_PATTERN = '^did:svc:[0-9a-fA-F]{1,128}$';

export const canonicalDid = (did: string): string => did.toLowerCase();
