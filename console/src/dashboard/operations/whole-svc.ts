import { Svc } from '@svc/sdk';
import { SERVICE } from './api';

// Those who load the client get these from here. Imported beside it, they would be in the file that each page loads.
export { exportRecords, verifyAuditChain } from '@svc/sdk';

/** The client with all of its methods, for what does more than send operations. It is loaded when
 * that begins, because it is twice the size of the other. */
export const wholeSvc = new Svc(SERVICE);
