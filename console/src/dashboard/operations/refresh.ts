/** How often an open overview is read again. */
export const REFRESH_MS = 15_000;
