/** Calls of an account in the request log. */
export const MAX_LOGGED = 1_000;
