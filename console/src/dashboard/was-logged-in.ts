import { forgetLists } from './operations/forget-lists';

const LOGGED_IN = 'logged-in';

/** Remembers whether this browser is logged in. What is requested early depends on it, and what is kept for an emergency. */
export const rememberLoggedIn = (isLoggedIn: boolean): void => {
  if (isLoggedIn) {
    localStorage.setItem(LOGGED_IN, '');
  } else {
    localStorage.removeItem(LOGGED_IN);
    forgetLists();
  }
};

export const wasLoggedIn = (): boolean => localStorage.getItem(LOGGED_IN) !== null;
