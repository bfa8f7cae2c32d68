import type { Service } from '../../service.js';

interface Options {
  readonly as?: string;
  readonly body?: unknown;
  readonly address?: string;
  readonly headers?: Record<string, string>;
}

/** What phones and API keys call: a server of another process, which can be killed. It needs `TRUST_PROXY: '127.0.0.1'`. */
export function createApp(baseUrl: string): Service {
  const call = async (method: string, path: string, { as, body, address, headers }: Options = {}) => {
    const reply = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(as && { authorization: `Bearer ${as}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(address && { 'x-forwarded-for': address }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    // biome-ignore lint/suspicious/noExplicitAny: the caller reads what it expects
    return { status: reply.status, text, body: JSON.parse(text) as any };
  };
  // The helpers of ceremonies and of phones use nothing else of it.
  return { call: call as unknown as Service['call'], clock: { now: Date.now } } as Service;
}
