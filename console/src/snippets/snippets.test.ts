import { spawnSync } from 'node:child_process';
import { transformWithOxc } from 'vite';
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
    expect(written.curl).toBe(`curl -s "$BASE_URL/v1/users" \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H 'Idempotency-Key: ada-1' \\
  -H 'Content-Type: application/json' \\
  -d '{
  "fullName": "Ada O'\\''Lovelace",
  "phone": null,
  "metadata": {"team": "A", "floors": [1, 2], "is-new": true}
}'`);
    expect(written.typescript).toBe(`import { Svc } from '@svc/sdk';

const svc = new Svc({ baseUrl: process.env.BASE_URL!, apiKey: process.env.SVC_API_KEY! });

console.log(await svc.users.create({
  fullName: 'Ada O\\'Lovelace',
  phone: null,
  metadata: { team: 'A', floors: [1, 2], 'is-new': true },
}, { idempotencyKey: 'ada-1' }));`);
    expect(written.python).toBe(`import json
import os
from urllib.request import Request, urlopen

request = Request(
    os.environ["BASE_URL"] + "/v1/users",
    headers={
        "Authorization": "Bearer " + os.environ["SVC_API_KEY"],
        "Idempotency-Key": "ada-1",
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "fullName": "Ada O'Lovelace",
        "phone": None,
        "metadata": {"team": "A", "floors": [1, 2], "is-new": True},
    }).encode(),
)
with urlopen(request) as response:
    print(response.read().decode())`);
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
    expect(written.curl).toBe(`curl -s '${address}?limit=20'`);
    expect(written.typescript.split('\n')[0]).toBe(`const response = await fetch('${address}?limit=20');`);
    expect(written.python).toContain(`    "${address}?limit=20",\n`);
    for (const text of Object.values(written)) expect(text).not.toMatch(/SVC_API_KEY|BASE_URL/);
  });

  it('uses the SDK’s method only if it sends all of the request', () => {
    const callOf = (request: object) => snippets({ ...CREATE, ...request }).typescript.split('await ')[1];
    expect(callOf({ query: { a: 1 } })).toMatch(/^svc\.request\('createUser', \{\n {2}query: \{ a: 1 \}/);
    expect(callOf({ body: ['Ada'] })).toMatch(/^svc\.request\('createUser', \{ body: \['Ada'\] \}/);
    expect(callOf({ headers: { 'X-Other': 'a' } })).toMatch(/^fetch\(/);
    const revoke = { path: '/v1/identity/revoke', operationId: 'revokeIdentity' };
    expect(callOf({ ...revoke, body: { did: 'a' } })).toMatch(/^svc\.identity\.revoke\('a', /);
    expect(callOf({ ...revoke, body: { did: 'a', why: 'b' } })).toMatch(/^svc\.request\('revokeIdentity', /);
  });

  it('imports only what the code uses, whatever its texts contain', () => {
    const text =
      'os.Getenv(time.Now json.dumps urlencode( strconv.Itoa `os.` "log.Fatal uuid.uuid4 svc.users';
    const { typescript, python, go } = snippets({
      ...{ method: 'GET', path: '/v1/users', query: { q: text }, headers: { 'X-Other': text } },
      ...{ origin: 'https://svc.example', needsKey: false },
    });
    expect(typescript).not.toContain('import');
    expect(python.match(/^(import|from) .*/gm)).toEqual(['from urllib.request import Request, urlopen']);
    expect([...go.matchAll(/^\t"(.*)"$/gm)].map(([, name]) => name)).toEqual(['io', 'log', 'net/http', 'os']);
  });

  it('keeps names and values of a body that look like code', () => {
    const body = { true: true, null: null, ids: 'ids', list: [{ variable: 'KEY' }], parts: ['a'] };
    expect(snippets({ ...CREATE, body }).typescript).toContain(`users.create({
  true: true,
  null: null,
  ids: 'ids',
  list: [{ variable: 'KEY' }],
  parts: ['a'],
}, `);
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
      if (typescript.includes('await svc.')) {
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
      const used = ['io', 'log', 'http', 'os', 'strings'].filter((name) =>
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
  const url = args.find((word, at) => !word.startsWith('-') && !/^-[XHd]$/.test(args[at - 1] ?? ''));
  return {
    method: valuesOf('-X')[0] ?? (body === undefined ? 'GET' : 'POST'),
    url: plainUrl(url ?? ''),
    headers,
    body: body === undefined ? undefined : JSON.parse(body),
  };
}

/** What the SDK or `fetch` was called with. */
async function receivedByScript(code: string): Promise<unknown> {
  let received: unknown;
  class Svc {
    request(name: string, input: unknown) {
      expect(name).toBe('updateUser');
      received = input;
    }
    users = {
      update(userId: string, body: unknown) {
        received = { path: { userId }, ...(body !== undefined && { body }) };
      },
    };
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
  const script = await transformWithOxc(code, 'snippet.ts', { sourcemap: false });
  const body = script.code.replace(/^import .*$/m, '');
  const run = new AsyncFunction('Svc', 'fetch', 'process', 'console', body);
  await run(Svc, fetch, { env: ENVIRONMENT }, { log() {} });
  return received;
}
