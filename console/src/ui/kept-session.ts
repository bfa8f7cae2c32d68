const PREFIX = 'sign-in:';

/** Keeps the session that the phone's page in this browser approves. It is needed again when the browser comes back. */
export function keepSession(uid: string, sessionId: string): void {
  try {
    sessionStorage.setItem(PREFIX + uid, sessionId);
  } catch {
    // A browser without storage. The sign-in page then says that it was opened in another tab.
  }
}

export function takeSession(uid: string): string | undefined {
  try {
    const sessionId = sessionStorage.getItem(PREFIX + uid) ?? undefined;
    sessionStorage.removeItem(PREFIX + uid);
    return sessionId;
  } catch {
    return undefined;
  }
}

/** The path of the sign-in page from which this tab came to the phone's page with this session, if it did. */
export function signInPageOf(sessionId: string): string | undefined {
  try {
    const [key] = Object.entries(sessionStorage).find(
      ([key, value]) => key.startsWith(PREFIX) && value === sessionId,
    ) ?? [undefined];
    return key && `/sign-in/${encodeURIComponent(key.slice(PREFIX.length))}`;
  } catch {
    return undefined;
  }
}
