// The command line in a working copy: installs and builds what is missing, then runs the command.
import { readEnvFile } from './env-file.mjs';
import { setUp } from './setup.mjs';

readEnvFile();
await setUp();
const { svc } = await import('../cli/dist/svc.js');
process.exitCode = await svc(process.argv.slice(2), process.env);
