// `npm run quickstart`: the walk from an account to a verified proof, against a running server.
import { setUp } from './setup.mjs';

await setUp();
const { svc } = await import('../cli/dist/svc.js');
process.exitCode = await svc(['quickstart'], process.env);
