import type { OperatorReply, OperatorRequest } from '@svc/server/operate';
import type { Context } from './command.js';
import { Failure, UsageError } from './failure.js';

/** Runs a command on the database and returns its result. */
export type Ask = <R>(request: OperatorRequest) => Promise<R>;

/**
 * Runs commands that follow each other on the database. An embedded database that a server uses is reached through that
 * server. Imported dynamically, because it loads the database drivers.
 */
export async function withOperator<T>(
  { env }: Pick<Context, 'env'>,
  use: (ask: Ask) => Promise<T>,
  options: { readonly progress?: (text: string) => void } = {},
): Promise<T> {
  const server = await import('@svc/server/operate');
  const run = (operate: (request: OperatorRequest) => Promise<OperatorReply>) =>
    use(async <R>(request: OperatorRequest) => {
      const reply = await operate(request);
      if (reply.ok) return reply.result as R;
      throw reply.usage ? new UsageError(reply.error) : new Failure('refused', reply.error);
    });
  return server.withOperator(env, run, options);
}

/** Runs one command on the database. */
export const runOperator = <R>(context: Pick<Context, 'env'>, request: OperatorRequest): Promise<R> =>
  withOperator(context, (ask) => ask<R>(request));
