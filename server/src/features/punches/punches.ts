import * as store from './punches.store.js';

export const deleteProofs: typeof store.deleteProofs = (...of) => store.deleteProofs(...of);

export const eraseProofs: typeof store.eraseProofs = (...of) => store.eraseProofs(...of);

export const listProofs: typeof store.listProofs = (...of) => store.listProofs(...of);
export const listProvers: typeof store.listProvers = (...of) => store.listProvers(...of);
