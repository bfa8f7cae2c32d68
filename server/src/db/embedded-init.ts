// embedded.ts runs this in a child process. It creates an empty cluster in the given folder and exits.
import { openPglite } from './pglite.js';

const folder = process.argv[2];
if (folder === undefined) throw new TypeError('The folder of the new cluster is required.');
const pglite = await openPglite({ folder });
await pglite.close();
