const KEY = 'svc-desk-shows';

/** Whether this screen shows only the clock, such as at a gate. */
export function isOnlyClock(): boolean {
  try {
    return localStorage.getItem(KEY) === 'clock';
  } catch {
    return false;
  }
}

export function keepOnlyClock(isOnly: boolean): void {
  try {
    if (isOnly) localStorage.setItem(KEY, 'clock');
    else localStorage.removeItem(KEY);
  } catch {
    // Then it shows its start.
  }
}
