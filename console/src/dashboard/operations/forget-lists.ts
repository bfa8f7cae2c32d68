/** Where this browser keeps the lists of who is here, for an emergency without a network. */
export const HERE_LISTS = 'here-lists';

/** Deletes them. They are for the member who is logged in, and for nobody else. */
export const forgetLists = (): void => localStorage.removeItem(HERE_LISTS);
