/** How long a confirmation with the password or a passkey counts. */
export const STEP_UP_MS = 5 * 60_000;
