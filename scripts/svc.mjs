// The command line, from a working copy: sets up what is missing, then runs the command.
import { setUp } from './setup.mjs';

await setUp();
const { svc } = await import('../cli/dist/svc.js');
process.exitCode = await svc(process.argv.slice(2), process.env);
