import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT, expectedOf, plainUrl, REQUESTS, type Received } from '../../test/support/requests';
import { snippets } from './snippets';

const CREATE = {
  method: 'POST',
  path: '/v1/users',
  headers: { 'Idempotency-Key': 'ada-1' },
  body: { fullName: "Ada O'Lovelace", phone: null, metadata: { team: 'A', floors: [1, 2], 'is-new': true } },
  operationId: 'createUser',
};

describe('a request in four languages', () => {
  it('is written the way that the language is written', () => {
    const written = snippets(CREATE);
    expect(written.curl).toBe(`curl "$BASE_URL/v1/users" \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H 'Idempotency-Key: ada-1' \\
  -H 'Content-Type: application/json' \\
  -d '{
  "fullName": "Ada O'\\''Lovelace",
  "phone": null,
  "metadata": {"team": "A", "floors": [1, 2], "is-new": true}
}'`);
    expect(written.typescript).toBe(`import { Svc } from '@svc/sdk';

const baseUrl = process.env.BASE_URL ?? 'http://localhost:3000';
const svc = new Svc({ baseUrl, apiKey: process.env.SVC_API_KEY });

const reply = await svc.request('createUser', {
  body: {
    fullName: 'Ada O\\'Lovelace',
    phone: null,
    metadata: { team: 'A', floors: [1, 2], 'is-new': true },
  },
}, { idempotencyKey: 'ada-1' });
console.log(reply);`);
    expect(written.python).toBe(`import os

import requests

response = requests.post(
    os.environ["BASE_URL"] + "/v1/users",
    headers={
        "Authorization": f"Bearer {os.environ['SVC_API_KEY']}",
        "Idempotency-Key": "ada-1",
    },
    json={
        "fullName": "Ada O'Lovelace",
        "phone": None,
        "metadata": {"team": "A", "floors": [1, 2], "is-new": True},
    },
    timeout=30,
)
print(response.status_code, response.text)`);
    expect(written.go).toContain(`	body := strings.NewReader(\`{
  "fullName": "Ada O'Lovelace",
  "phone": null,
  "metadata": {"team": "A", "floors": [1, 2], "is-new": true}
}\`)
	request, err := http.NewRequest("POST", os.Getenv("BASE_URL")+"/v1/users", body)
`);
  });

  it('uses the address that is given, and no key where none is needed', () => {
    const request = {
      method: 'GET',
      path: '/v1/proof-pairing/sessions/{id}/public',
      pathValues: { id: 'a/b' },
      query: { limit: 20 },
      origin: 'https://svc.example',
      needsKey: false,
    };
    const written = snippets(request);
    const address = 'https://svc.example/v1/proof-pairing/sessions/a%2Fb/public';
    expect(written.curl).toBe(`curl '${address}?limit=20'`);
    expect(written.typescript.split('\n')[0]).toBe(`const response = await fetch('${address}?limit=20');`);
    expect(written.python).toContain(`    "${address}",\n    params={"limit": 20},\n`);
    for (const text of Object.values(written)) expect(text).not.toMatch(/SVC_API_KEY|BASE_URL/);
  });

  it('shows every character that is sent: none can reorder or hide code', () => {
    for (const text of REQUESTS.flatMap((request) => Object.values(snippets(request))))
      expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B-\u200F\u2028\u2029\uFEFF\p{Cs}]/u);
  });

  it('keeps any text when a shell runs it', () => {
    const calls = REQUESTS.map((request) => snippets(request).curl);
    const script = `curl() { printf '%s\\0' "$#" "$@"; }\n${calls.join('\n')}\n`;
    const { stdout, stderr } = spawnSync('sh', [], {
      input: script,
      env: ENVIRONMENT,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    expect(stderr).toBe('');
    const words = stdout.split('\0');
    for (const request of REQUESTS) {
      const args = words.splice(0, Number(words.shift()));
      expect(receivedByCurl(args)).toEqual(expectedOf(request));
    }
  });

  it('keeps any text when JavaScript runs it, with the SDK and without', async () => {
    for (const request of REQUESTS) {
      const { typescript } = snippets(request);
      const received = await receivedByScript(typescript);
      if (typescript.includes('svc.request')) {
        const { pathValues, query = {}, body } = request;
        expect(received).toEqual({
          path: pathValues,
          ...(Object.keys(query).length > 0 && { query }),
          ...(body !== undefined && { body: JSON.parse(JSON.stringify(body)) }),
        });
      } else expect(received).toEqual(expectedOf(request));
    }
  });

  it('keeps any text in the literals of Go, and imports what it uses', () => {
    for (const request of REQUESTS) {
      const { go } = snippets(request);
      const expected = expectedOf(request);
      const [, body] = /NewReader\(`([^`]*)`\)/.exec(go) ?? [];
      expect(body === undefined ? undefined : JSON.parse(body)).toEqual(expected.body);
      const [, method, before, address] =
        /NewRequest\("(\w+)", (os\.Getenv\("BASE_URL"\)\+)?"([^"\\]+)"/.exec(go) ?? [];
      expect(method).toBe(request.method);
      expect(plainUrl(`${before ? ENVIRONMENT.BASE_URL : ''}${address}`)).toBe(expected.url);
      const imports = [...go.matchAll(/^\t"(?:\w+\/)?(\w+)"$/gm)].map(([, name]) => name);
      const code = go.slice(go.indexOf('func main'));
      const used = ['fmt', 'io', 'log', 'http', 'os', 'strings'].filter((name) =>
        new RegExp(`[\\t (+]${name}\\.[A-Z]`).test(code),
      );
      expect(imports).toEqual(used);
    }
  });
});

function receivedByCurl(args: readonly string[]): Received {
  const valuesOf = (flag: string) => args.filter((_, at) => args[at - 1] === flag);
  const [body] = valuesOf('-d');
  const { 'Content-Type': type, ...headers } = Object.fromEntries(
    valuesOf('-H').map((header) => [
      header.slice(0, header.indexOf(':')),
      header.slice(header.indexOf(':') + 2),
    ]),
  );
  expect(type).toBe(body === undefined ? undefined : 'application/json');
  const url = args.find((word, at) => !word.startsWith('-') && !args[at - 1]?.startsWith('-'));
  return {
    method: valuesOf('-X')[0] ?? (body === undefined ? 'GET' : 'POST'),
    url: plainUrl(url ?? ''),
    headers,
    body: body === undefined ? undefined : JSON.parse(body),
  };
}

/** What the SDK's `request` or `fetch` was called with. */
async function receivedByScript(code: string): Promise<unknown> {
  let received: unknown;
  class Svc {
    request(name: string, input: unknown) {
      expect(name).toBe('updateUser');
      received = input;
    }
  }
  const fetch = (address: string, init: RequestInit = {}) => {
    const { 'Content-Type': type, ...headers } = (init.headers ?? {}) as Record<string, string>;
    expect(type).toBe(init.body === undefined ? undefined : 'application/json');
    received = {
      method: init.method ?? 'GET',
      url: plainUrl(address),
      headers,
      body: init.body === undefined ? undefined : JSON.parse(String(init.body)),
    };
    return { text: () => '' };
  };
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const run = new AsyncFunction('Svc', 'fetch', 'process', 'console', code.replace(/^import .*$/m, ''));
  await run(Svc, fetch, { env: ENVIRONMENT }, { log() {} });
  return received;
}
