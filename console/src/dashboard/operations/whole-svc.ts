import { Svc } from '@svc/sdk';
import { SERVICE } from './api';

/** The client with all of its methods, for what does more than send operations. It is loaded when
 * that begins, because it is twice the size of the other. */
export const wholeSvc = new Svc(SERVICE);
