// Run by embedded.ts as a process of its own: makes an empty cluster in the folder that is named, and ends.
import { openPglite } from './pglite.js';

const folder = process.argv[2];
if (folder === undefined) throw new TypeError('Name the folder to make the cluster in.');
const pglite = await openPglite({ folder });
await pglite.close();
