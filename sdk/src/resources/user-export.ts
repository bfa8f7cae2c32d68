import { type Attendance, ROUTES, type User, type Verification } from '../generated/api.js';
import { SvcError } from '../transport/errors.js';
import type { Environment } from '../transport/options.js';
import type { RequestOptions, Transport } from '../transport/transport.js';

/** Everything that the service knows about a person. */
export interface UserExport {
  readonly exportedAt: string;
  readonly environment: Environment;
  readonly user: User;
  readonly verifications: readonly Verification[];
  readonly attendance: readonly Attendance[];
  /** The other lists, such as `identities`, `devices` and `sessions`. */
  readonly [list: string]: unknown;
}

/** Only the document ends with this: a line ends after a comma everywhere else. */
const END = '}\n';

/** @internal The document in pieces of text, as they are received. */
export async function* exportUser(
  transport: Transport,
  userId: string,
  options: RequestOptions = {},
): AsyncGenerator<string, void, undefined> {
  const { body } = await transport.open('exportUser', { path: { userId } }, options);
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let end = '';
  let cause: unknown;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      const piece = decoder.decode(value, { stream: !done });
      end = (end + piece).slice(-END.length);
      if (piece !== '') yield piece;
      if (done) break;
    }
  } catch (error) {
    if (options.signal?.aborted) throw options.signal.reason;
    cause = error;
    end = '';
  } finally {
    // Not awaited, because a hanging connection would block.
    reader.cancel().catch(() => {});
  }
  if (end === END) return;
  throw new SvcError('connection_cut', 'The export of the user is incomplete. Request it again.', {
    operation: ROUTES.exportUser.route,
    cause,
  });
}
