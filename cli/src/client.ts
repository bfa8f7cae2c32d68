/** The service refused, or could not be reached; the message says what to do. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
}

interface Call {
  readonly as?: string;
  readonly session?: string;
  readonly body?: unknown;
}

export type Client = <T>(method: 'GET' | 'POST', path: string, call?: Call) => Promise<T>;

/** A thin JSON client of one server. */
export function createClient(baseUrl: string): Client {
  return async <T>(method: string, path: string, { as, session, body }: Call = {}) => {
    const headers = {
      ...(as && { authorization: `Bearer ${as}` }),
      ...(session && { 'x-session-token': session }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const payload = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await reach(baseUrl, () => fetch(new URL(path, baseUrl), { method, headers, ...payload }));
    const text = await reply.text();
    if (!reply.ok) throw new ServiceError(`${method} ${path} answered ${reply.status}: ${reason(text)}`);
    return JSON.parse(text) as T;
  };
}

/** Bytes of a public file of the server. */
export async function download(baseUrl: string, path: string): Promise<Uint8Array> {
  const reply = await reach(baseUrl, () => fetch(new URL(path, baseUrl)));
  if (!reply.ok) throw new ServiceError(`${path} answered ${reply.status}`);
  return new Uint8Array(await reply.arrayBuffer());
}

async function reach(baseUrl: string, call: () => Promise<Response>): Promise<Response> {
  try {
    return await call();
  } catch (cause) {
    throw new ServiceError(
      `Nothing answers at ${baseUrl}. Start the server with \`npm start\`, or set BASE_URL.`,
      { cause },
    );
  }
}

function reason(text: string): string {
  try {
    const { error, message, details } = JSON.parse(text) as {
      error: string;
      message: string;
      details?: unknown;
    };
    return `${error}: ${message}${details ? ` ${JSON.stringify(details)}` : ''}`;
  } catch {
    return 'it is not this service; check BASE_URL';
  }
}
