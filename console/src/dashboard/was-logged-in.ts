const LOGGED_IN = 'logged-in';

/** Remembers whether this browser is logged in. Nothing depends on it but what is requested early. */
export const rememberLoggedIn = (isLoggedIn: boolean): void => {
  if (isLoggedIn) localStorage.setItem(LOGGED_IN, '');
  else localStorage.removeItem(LOGGED_IN);
};

export const wasLoggedIn = (): boolean => localStorage.getItem(LOGGED_IN) !== null;
