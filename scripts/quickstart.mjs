// `npm run quickstart`: from a new account to a verified proof, against a running server.
import { readEnvFile } from './env-file.mjs';
import { setUp } from './setup.mjs';

readEnvFile();
await setUp();
const { svc } = await import('../cli/dist/svc.js');
process.exitCode = await svc(['quickstart'], process.env);
