import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Calls to a service that a test knows only by its URL. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly body: any;
}

export async function callAt(
  url: string,
  method: string,
  path: string,
  { as, body, headers }: { as?: string; body?: object; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(as && { authorization: `Bearer ${as}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
}

export async function signUpAt(
  url: string,
  name: string,
): Promise<{ token: string; key: string; tenantId: string }> {
  const { status, body } = await callAt(url, 'POST', '/api/console/signup', {
    body: {
      email: `${name}@example.com`,
      password: 'correct horse 7 battery staple',
      companyName: 'Example',
    },
  });
  if (status !== 201) throw new Error(`signing up returned ${status} ${JSON.stringify(body)}`);
  return { token: body.token, key: body.apiKey.key, tenantId: body.tenant.id };
}

/** The stream of a new pairing session. */
export interface RemoteStream {
  readonly sessionId: string;
  readonly nonce: string;
  readonly status: number;
  text(): string;
  /** True if the stream ended cleanly, false if it was aborted. */
  readonly ended: Promise<boolean>;
  disconnect(): void;
}

export async function streamAt(url: string, key: string): Promise<RemoteStream> {
  const { body, headers } = await callAt(url, 'POST', '/v1/proof-pairing/sessions', { as: key });
  const [cookie = ''] = String(headers.get('set-cookie')).split(';');
  const path = `/v1/proof-pairing/sessions/${body.session.id}/stream`;
  const sent = request(`${url}${path}`, {
    agent: false,
    headers: { authorization: `Bearer ${key}`, cookie },
  });
  let text = '';
  return new Promise((resolve, reject) => {
    sent.on('error', reject).on('response', (reply) => {
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      reply.on('error', () => {});
      resolve({
        sessionId: body.session.id,
        nonce: body.session.nonce,
        status: reply.statusCode as number,
        text: () => text,
        ended: new Promise((done) => reply.on('close', () => done(reply.complete))),
        disconnect: () => sent.destroy(),
      });
    });
    sent.end();
  });
}

/** The ids of all devices of the account. */
export async function deviceIdsAt(url: string, key: string): Promise<Set<string>> {
  const ids = new Set<string>();
  let cursor: string | null = null;
  do {
    const query: string = cursor ? `&cursor=${cursor}` : '';
    const { body } = await callAt(url, 'GET', `/v1/devices?limit=100${query}`, { as: key });
    for (const device of body.devices) ids.add(device.id);
    cursor = body.nextCursor;
  } while (cursor);
  return ids;
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`the condition did not hold within ${ms} ms`);
    await delay(20);
  }
}
