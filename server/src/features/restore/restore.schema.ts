import { flag, strictObject } from '../../records/schema.js';

export const ConfirmRestoreReply = strictObject({ confirmed: flag(true) });
