import { PinnedKeyError } from '@svc/zk/setup/artifacts';
import { ConfigError } from '../base/config/config.js';
import { DatabaseUnavailableError } from '../db/db.js';
import { FolderInUseError } from '../db/folder-lock.js';
import { MigrationMismatchError } from '../db/migrate.js';
import { main, reason } from '../main.js';

// Starts the server and explains why it could not start.
try {
  await main();
} catch (error) {
  process.stderr.write(`\nThe service could not start.\n${explain(error)}\n`);
  process.exit(1);
}

/** One sentence for an error that the operator can fix, otherwise the stack. */
function explain(error: unknown): string {
  const foreseen = [ConfigError, PinnedKeyError, FolderInUseError, MigrationMismatchError];
  if (error instanceof PinnedKeyError)
    return `Verification key check "${error.check}" failed: ${error.message}`;
  if (foreseen.some((kind) => error instanceof kind)) return (error as Error).message;
  if (error instanceof DatabaseUnavailableError)
    return `The database of DATABASE_URL cannot be used: ${reason(error.cause)}`;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'PORT is taken by another program. Set PORT to a free one.';
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    return `HOST and PORT cannot be listened on: ${reason(error)}`;
  if (path !== undefined) return `A file or folder cannot be used (DATA_DIR?): ${reason(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
