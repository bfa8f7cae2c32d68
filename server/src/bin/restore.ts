export { checkRestored } from '../features/restore/restore.js';
