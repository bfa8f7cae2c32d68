import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** What a test does to a service of which it knows the address alone. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly body: any;
}

export async function ask(
  url: string,
  method: string,
  path: string,
  { as, body, headers }: { as?: string; body?: object; headers?: Record<string, string> } = {},
): Promise<Answer> {
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
  const { status, body } = await ask(url, 'POST', '/api/console/signup', {
    body: {
      email: `${name}@example.com`,
      password: 'correct horse 7 battery staple',
      companyName: 'Example',
    },
  });
  if (status !== 201) throw new Error(`signing up answered ${status} ${JSON.stringify(body)}`);
  return { token: body.token, key: body.apiKey.key, tenantId: body.tenant.id };
}

/** The stream of a pairing session of its own. */
export interface RemoteStream {
  readonly sessionId: string;
  readonly nonce: string;
  readonly status: number;
  text(): string;
  /** True once it ended in order, false once it broke off. */
  readonly ended: Promise<boolean>;
  vanish(): void;
}

export async function streamAt(url: string, key: string): Promise<RemoteStream> {
  const { body, headers } = await ask(url, 'POST', '/v1/proof-pairing/sessions', { as: key });
  const [cookie = ''] = String(headers.get('set-cookie')).split(';');
  const path = `/v1/proof-pairing/sessions/${body.session.id}/stream`;
  const sent = request(`${url}${path}`, {
    agent: false,
    headers: { authorization: `Bearer ${key}`, cookie },
  });
  let text = '';
  return new Promise((resolve, reject) => {
    sent.on('error', reject).on('response', (reply) => {
      reply.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      reply.on('error', () => {});
      resolve({
        sessionId: body.session.id,
        nonce: body.session.nonce,
        status: reply.statusCode as number,
        text: () => text,
        ended: new Promise((done) => reply.on('close', () => done(reply.complete))),
        vanish: () => sent.destroy(),
      });
    });
    sent.end();
  });
}

/** Every device of the account, page by page. */
export async function deviceIdsAt(url: string, key: string): Promise<Set<string>> {
  const ids = new Set<string>();
  let cursor: string | null = null;
  do {
    const query: string = cursor ? `&cursor=${cursor}` : '';
    const { body } = await ask(url, 'GET', `/v1/devices?limit=100${query}`, { as: key });
    for (const device of body.devices) ids.add(device.id);
    cursor = body.nextCursor;
  } while (cursor);
  return ids;
}

/** Waits for something that another process does. */
export async function until(holds: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('it did not come to pass in time');
    await delay(20);
  }
}
