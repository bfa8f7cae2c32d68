/** `did:svc:` and 1 to 128 hex digits [identities/dids-and-commitments]. Any case in requests, stored in lower case. */
export const DID_PATTERN = '^did:svc:[0-9a-fA-F]{1,128}$';

export const canonicalDid = (did: string): string => did.toLowerCase();
