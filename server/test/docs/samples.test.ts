// @module-tag if-touched @core docs/ examples/ sdk/ cli/ contract/: runs every command of the documentation
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import { openApi } from '../../src/http/openapi/openapi.js';
import { successStatus } from '../../src/http/route.js';
import { requirePrograms } from '../support/contract/transcript.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const dist = join(root, 'console/dist');
const LANGUAGES = ['curl', 'typescript', 'python', 'go'] as const;
type Language = (typeof LANGUAGES)[number];
/** A request of the documentation in every language. */
type Sample = Readonly<Record<Language | 'page', string>>;

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const samples: readonly Sample[] = readdirSync(join(dist, 'docs'), { recursive: true })
  .map((name) => `docs/${String(name).replaceAll('\\', '/')}`)
  .concat('index.html')
  .filter((name) => name.endsWith('.html'))
  .sort()
  .flatMap((page) =>
    readFileSync(join(dist, page), 'utf8')
      .split('<div class="languages">')
      .slice(1)
      .map((html) => {
        const codes = LANGUAGES.map((language) => {
          const frame = new RegExp(`data-language="${language}">.*?<code>(.*?)</code>`, 's').exec(html);
          return [language, textOf(frame?.[1] ?? '')] as const;
        });
        return { page, ...Object.fromEntries(codes) } as Sample;
      }),
  );

/** A value for every variable that a sample reads from its environment. */
const ENV: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...new Set(
      samples.flatMap(({ curl }) => [...curl.matchAll(/\$([A-Z_]+)/g)].map(([, name]) => String(name))),
    ),
  ]
    .map((name): [string, string] => [name, '019dc91f-d5c0-794b-8452-a6702a7266af'])
    .concat([
      ['KEY', `svc_live_${'0a'.repeat(24)}`],
      ['CODE', 'SV-4821-09KD'],
    ]),
);

/** The fields of a proof, which no sample looks into. */
const PROOF = { did: 'did', proof: {}, publicSignals: [], nonce: 'nonce', timestamp: 'now' };

/** A request as the service sees it, without what differs on purpose. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: string[];
  readonly headers: Record<string, string>;
  readonly body: unknown;
}
const COMPARED =
  /^(authorization|x-api-key|x-session-token|cookie|if-none-match|content-type|idempotency-key)$/;
/** Samples are sent in different seconds, and each makes its own random keys. */
const withoutTime = (name: string, text: string) =>
  name === 'idempotency-key'
    ? text.replaceAll(/\b\d{10}\b/g, '<seconds>').replace(/^[0-9a-f]{8}-.{27}$/, '<uuid>')
    : text;

async function seen(request: IncomingMessage): Promise<Seen> {
  let text = '';
  for await (const piece of request) text += piece;
  const url = new URL(request.url ?? '', 'http://here');
  const headers = Object.entries(request.headers).filter(([name]) => COMPARED.test(name));
  return {
    method: request.method ?? '',
    path: decodeURIComponent(url.pathname),
    query: [...url.searchParams].map(String).sort(),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, withoutTime(name, String(value))])),
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** A service that keeps what it is sent and replies with the examples of the contract. */
async function recordingService() {
  const routes = routesOf('0.0.0-test');
  // biome-ignore lint/suspicious/noExplicitAny: a JSON document
  const document = openApi(routes, { version: '0.0.0', surface: 'all' }) as any;
  const patterns = routes.map((route) => ({
    route,
    pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
    example: Object.values(
      document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')][route.method.toLowerCase()].responses[
        successStatus(route)
        // biome-ignore lint/suspicious/noExplicitAny: a JSON document
      ].content as Record<string, any>,
    )[0].example,
  }));
  /** What was received in the sample with this number. */
  let received: Seen[][] = [];
  const respond = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    if (request.url === '/next') {
      received.push([]);
      reply.end('{}');
      return;
    }
    const it = await seen(request);
    received.at(-1)?.push(it);
    const found = patterns.find(({ route, pattern }) => route.method === it.method && pattern.test(it.path));
    if (found === undefined) {
      reply.writeHead(404).end('{}');
      return;
    }
    // The list ends here, so that nobody asks for its next page.
    const isText = typeof found.example === 'string';
    const body = isText
      ? found.example
      : JSON.stringify({
          ...found.example,
          ...('nextCursor' in (found.example ?? {}) && { nextCursor: null }),
        });
    const type =
      typeof found.route.replies[successStatus(found.route)] === 'string' ? 'text/plain' : 'application/json';
    // A redirect would send a program on to what is not recorded here.
    const status = successStatus(found.route) < 300 ? successStatus(found.route) : 200;
    reply.writeHead(status, { 'content-type': type, connection: 'close' }).end(body);
  };
  const server = createServer((request, reply) => void respond(request, reply));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Runs samples that call `/next` before each, and returns what each of them sent. */
    async record(run: () => Promise<void>) {
      received = [];
      await run();
      return received;
    },
    close: () => server.close(),
  };
}

let service: Awaited<ReturnType<typeof recordingService>>;
let folder: string;
let expected: Seen[][];

/** Runs a program until its end. Its errors are the test's. */
async function run(command: string, args: readonly string[], cwd = folder) {
  const env = { PATH: process.env.PATH, HOME: folder, ...ENV, BASE_URL: service.url };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (piece) => (errors += piece));
  const [code] = await once(child, 'close');
  expect(code, errors).toBe(0);
}

beforeAll(async () => {
  requirePrograms('bash', 'curl', 'python3');
  service = await recordingService();
  folder = mkdtempSync(join(tmpdir(), 'svc-samples-'));
  const scripts = samples.map(({ curl }) => `curl -s "$BASE_URL/next"\n(set -e\n${curl}\n)\n`);
  writeFileSync(join(folder, 'all.sh'), scripts.join(''));
  // What a phone sent, for the samples that pass it on.
  writeFileSync(join(folder, 'proof.json'), JSON.stringify(PROOF));
  expected = await service.record(() => run('bash', ['all.sh']));
});
afterAll(() => {
  service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Without what the SDK adds: keys for retries, and the default of a parameter. */
const asInCurl = (all: Seen[][]) =>
  all.map((sent, sample) =>
    sent.map((it, at) => ({
      ...it,
      query: it.query.filter(
        (entry) => entry !== 'environment,live' || expected[sample]?.[at]?.query.includes(entry),
      ),
      headers: Object.fromEntries(
        Object.entries(it.headers).filter(
          ([name]) => name !== 'idempotency-key' || expected[sample]?.[at]?.headers[name],
        ),
      ),
    })),
  );

describe('the samples in several languages', () => {
  it('exist for every endpoint and every guide with requests, and send something', () => {
    expect(samples.length).toBeGreaterThan(120);
    expect(expected).toHaveLength(samples.length);
    expect(expected.filter((sent) => sent.length === 0)).toEqual([]);
    for (const guide of [
      'users',
      'attendance',
      'devices',
      'registration',
      'verification',
      'keys',
      'sessions',
    ])
      expect(samples.map(({ page }) => page)).toContain(`docs/${guide}.html`);
  });

  it('in Python send what curl sends', async () => {
    const programs = samples.map(({ python }) => python);
    writeFileSync(join(folder, 'all.json'), JSON.stringify(programs));
    writeFileSync(
      join(folder, 'all.py'),
      'import json, os, urllib.request\nfor code in json.load(open("all.json")):\n' +
        '    urllib.request.urlopen(os.environ["BASE_URL"] + "/next").read()\n    exec(code, {})\n',
    );
    expect(asInCurl(await service.record(() => run('python3', ['all.py'])))).toEqual(expected);
  });

  it('in TypeScript send what curl sends', async () => {
    const place = join(root, '.build', 'samples');
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
    const files = samples.map(({ typescript }, at) => {
      const file = join(place, `${at}.mjs`);
      writeFileSync(file, transformSync(typescript, { loader: 'ts', format: 'esm', target: 'node20' }).code);
      return file;
    });
    const main = join(place, 'all.mjs');
    const imports = files.map(
      (file) =>
        `await fetch(process.env.BASE_URL + '/next');\nawait import(${JSON.stringify(pathToFileURL(file).href)});`,
    );
    writeFileSync(main, imports.join('\n'));
    expect(asInCurl(await service.record(() => run(process.execPath, [main])))).toEqual(expected);
  });

  it('in TypeScript compile strictly against the SDK', () => {
    const place = join(root, '.build', 'samples-types');
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
    for (const [at, { typescript }] of samples.entries())
      writeFileSync(join(place, `${at}.ts`), `${typescript}\nexport {};\n`);
    writeFileSync(
      join(place, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../tsconfig.json',
        compilerOptions: {
          noEmit: true,
          strict: true,
          types: ['node'],
          customConditions: ['source'],
          skipLibCheck: true,
        },
        include: ['*.ts'],
        exclude: [],
      }),
    );
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '-p', place],
      {
        encoding: 'utf8',
      },
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  it.skipIf(spawnSync('gofmt', ['-h']).error !== undefined)('in Go are formatted as gofmt does', () => {
    for (const [at, { go }] of samples.entries()) writeFileSync(join(folder, `${at}.go`), go);
    const names = samples.map((_, at) => `${at}.go`);
    expect(execFileSync('gofmt', ['-l', ...names], { cwd: folder, encoding: 'utf8' })).toBe('');
  });

  it('in Go name the method, the path and the headers that curl sends', () => {
    for (const [at, { go, page }] of samples.entries())
      for (const { method, headers } of expected[at] ?? []) {
        expect(go, page).toContain(`http.NewRequest("${method}", os.Getenv("BASE_URL")+"/`);
        for (const name of Object.keys(headers)) expect(go.toLowerCase(), page).toContain(`"${name}", `);
      }
  });
});
