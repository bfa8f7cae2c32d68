/** The pages before the dashboard. They are pages of their own, so links to them are ordinary anchors. */
export const LOG_IN = '/dashboard/login';
export const SIGN_UP = '/dashboard/signup';
export const FORGOT = '/dashboard/forgot';
