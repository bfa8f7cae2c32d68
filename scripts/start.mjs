// `npm start`: prepares a fresh clone and serves. The server runs in this process, so that it receives signals itself and no
// parent process ends before its shutdown is complete.
import { readEnvFile } from './env-file.mjs';
import { setUp } from './setup.mjs';

const HELP = `Usage: npm start [-- --help]

Installs and builds what is missing, then serves until SIGTERM or Ctrl-C. Without settings: on http://localhost:3000,
with an embedded database in ./data.

Settings are environment variables or lines of .env in this folder (copy .env.example, which lists all of them):
  PORT, HOST       where to listen (3000, 127.0.0.1)
  BASE_URL         the origin that clients use (http://localhost:PORT)
  DATABASE_URL     PostgreSQL 15 or later instead of the embedded database
  DATA_DIR         folder of the embedded database (./data)
  SVC_SECRET       32 random bytes or more; required with DATABASE_URL and in production
  ADMIN_API_KEY    enables the admin endpoints
  DEFAULT_PLAN     plan of a new account (growth; free with DATABASE_URL and in production)
  LOG_LEVEL        fatal, error, warn, info, debug, trace or silent (info)

All settings: docs/operating.md. First steps: npm run quickstart, docs/quickstart.md, or /docs on the running server.
`;

const [option] = process.argv.slice(2);
if (option === '--help' || option === '-h') {
  process.stdout.write(HELP);
} else if (option !== undefined) {
  process.stderr.write(
    `npm start has no option ${option}. Settings are environment variables: npm start -- --help\n`,
  );
  process.exitCode = 2;
} else {
  readEnvFile();
  await setUp();
  await import('../server/dist/bin/serve.js');
}
