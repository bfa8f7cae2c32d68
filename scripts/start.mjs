// `npm start`: makes a fresh clone ready and serves. The server runs in this very process, so that a signal sent to it
// reaches the server itself and its shutdown is not cut short by a parent that ends first.
import { setUp } from './setup.mjs';

await setUp();
await import('../server/dist/main.js');
