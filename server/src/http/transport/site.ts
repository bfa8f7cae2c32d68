import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join, relative } from 'node:path';
import send from '@fastify/send';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.js';
import type { Config } from '../../base/config/config.js';
import { fail } from '../../base/errors.js';
import { encodingOf, prefersHtml, varyBy } from './accept.js';
import { isUnchanged } from './entity-tags.js';
import { fillPlaceholders } from './placeholders.js';
import { securityText } from './security-text.js';
import { etagOf, StaticText } from './static-text.js';

/** Single-page applications. All paths below theirs are served by the same page. */
const APPS = ['dashboard', 'desk', 'phone', 'sign-in'];
/** Paths that may exist at the root: the landing page, and what it and the others load. */
const ADDRESSES = [
  '/',
  '/favicon.svg',
  '/favicon.ico',
  '/icon.png',
  '/card.png',
  '/robots.txt',
  '/sitemap.xml',
  '/llms.txt',
  '/llms-full.txt',
  '/assets/*',
  '/docs',
  '/inspection',
  ...['docs', ...APPS].map((name) => `/${name}/*`),
];
/** Suffixes of the compressed forms that the build adds. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/**
 * Scripts and everything else must come from this origin. Proving needs WebAssembly, and the phone page reads the camera.
 * `forms` is where forms may be sent.
 */
const policyFor = (forms: "'none'" | "'self'") =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
  ].join(';');
const HEADERS = {
  'content-security-policy': policyFor("'none'"),
  // For browsers and scanners that don't know `frame-ancestors`.
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
};

/** A file of the built pages. */
interface Found {
  readonly file: string;
  readonly status: 200 | 404;
}

interface Pages {
  /**
   * Sends the page for an unknown address to a client that prefers HTML. Returns undefined if the client gets the error as JSON:
   * other clients, and everybody below `apiPrefixes`.
   */
  sendMissing(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>;
}

interface PagesOptions {
  readonly config: Config;
  readonly clock: Clock;
  /** The folder of the built pages. The list of its files is read once and no other path exists, so no request can leave it. */
  readonly folder: string;
  /** First segments of paths that belong to the API. */
  readonly apiPrefixes: ReadonlySet<string>;
  /** Called before a page is sent. */
  readonly onPage: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

/** Serves the built pages, and `/.well-known/security.txt`. */
export function mountPages(
  server: FastifyInstance,
  { config, clock, folder, apiPrefixes, onPage }: PagesOptions,
): Pages {
  const files = existsSync(folder) ? filesOf(folder) : new Set<string>();
  const tagOf = createTags(folder);
  const textOf = createTexts(folder, config);
  for (const app of APPS)
    server.route({
      method: ['GET', 'HEAD'],
      url: `/${app}`,
      handler: async (request, reply) => {
        await onPage(request, reply);
        // A service worker may only control paths below its own.
        return reply.redirect(`/${app}/${request.url.slice(app.length + 1)}`, 308);
      },
    });
  for (const url of ADDRESSES)
    server.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const { file, status } = find(files, request.url) ?? fail('not_found');
        void reply.code(status).headers({ ...HEADERS, ...headersOf(file) });
        const text = await textOf(file);
        if (text !== undefined) {
          const body = status === 200 ? text.prepare(request, reply) : text.prepareError(request, reply);
          await onPage(request, reply);
          return reply.send(body);
        }
        const encoding = encodingOf(request.headers['accept-encoding'], (name) =>
          files.has(file + SUFFIXES[name]),
        );
        const path = encoding === undefined ? file : file + SUFFIXES[encoding];
        const tag = await tagOf(path);
        varyBy(reply, 'accept-encoding');
        void reply.headers({ etag: tag, ...(encoding && { 'content-encoding': encoding }) });
        if (isUnchanged(request.headers['if-none-match'], tag)) {
          await onPage(request, reply.code(304));
          return reply.send();
        }
        const found = await send(unconditional(request.raw), `/${path}`, { ...PLAIN, root: folder });
        await onPage(request, reply);
        const { 'content-length': length } = found.headers as { 'content-length'?: string };
        if (length !== undefined) void reply.header('content-length', length);
        return reply.send(found.stream);
      },
    });
  server.route({
    method: ['GET', 'HEAD'],
    url: '/.well-known/security.txt',
    handler: async (request, reply) => {
      await onPage(request, reply);
      return reply
        .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' })
        .send(securityText(config, clock.now()));
    },
  });
  return {
    async sendMissing(request, reply) {
      const [, first = ''] = request.url.split(/[/?]/, 2);
      if (!['GET', 'HEAD'].includes(request.method) || apiPrefixes.has(first)) return undefined;
      varyBy(reply, 'accept');
      if (!prefersHtml(request.headers.accept) || !files.has(MISSING)) return undefined;
      const text = (await textOf(MISSING)) as StaticText;
      return reply
        .code(404)
        .headers({ ...HEADERS, ...headersOf(MISSING) })
        .send(text.prepareError(request, reply));
    },
  };
}

const MISSING = '404.html';

/** Files that may contain the server's own address and name, which the build does not know. */
const FILLED = /\.(html|txt|xml|md|webmanifest)$|\/sw\.js$/;

/** The text of a file that contains placeholders; undefined for any other file. */
function createTexts(folder: string, config: Config): (file: string) => Promise<StaticText | undefined> {
  const texts = new Map<string, StaticText | undefined>();
  return async (file) => {
    if (!FILLED.test(file)) return undefined;
    if (!texts.has(file)) {
      const text = await readFile(join(folder, file), 'utf8');
      const filled = fillPlaceholders(file, text, config);
      texts.set(file, file === MISSING || filled !== text ? new StaticText(filled) : undefined);
    }
    return texts.get(file);
  };
}

/** A hash of the content, because neither time nor size identify a build. */
function createTags(folder: string): (path: string) => Promise<string> {
  const tags = new Map<string, string>();
  return async (path) => {
    const known = tags.get(path);
    if (known !== undefined) return known;
    const tag = etagOf(await readFile(join(folder, path)));
    tags.set(path, tag);
    return tag;
  };
}

/** Pages are sent without ranges. */
const unconditional = ({ method }: IncomingMessage) => ({ method, headers: {} }) as IncomingMessage;
const PLAIN = {
  contentType: false,
  cacheControl: false,
  acceptRanges: false,
  etag: false,
  lastModified: false,
};

function filesOf(folder: string): Set<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  );
}

/** Of a file. The address of a sign-in also has a dot, with more behind it. */
const SUFFIX = /\.\w{1,12}$/;

/** The file for a path: the file itself, the index of a folder, its page, or the application it belongs to. */
function find(files: ReadonlySet<string>, url: string): Found | undefined {
  const path = (url.split('?', 1)[0] as string).replace(/^\/|\/$/g, '');
  const [app = ''] = path.split('/', 1);
  const candidates = [path, path === '' ? 'index.html' : `${path}/index.html`, `${path}.html`];
  if (APPS.includes(app) && !SUFFIX.test(path)) candidates.push(`${app}/index.html`);
  const file = candidates.find((candidate) => files.has(candidate));
  if (file !== undefined) return { file, status: 200 };
  const missing = `${app}/404.html`;
  return files.has(missing) ? { file: missing, status: 404 } : undefined;
}

/**
 * Files in these folders have a hash of their content in their names. All others must be revalidated. That includes workers,
 * because a worker obeys the Content-Security-Policy that it was sent with.
 */
const HASHED = /^(phone\/)?assets\//;
/** Search engines list the landing page and the documentation, once each. */
const UNLISTED = /^(dashboard|desk|inspection|phone|sign-in)\/.*\.html$|404\.html$|\.md$/;
/** Pages whose forms are sent without a script. An application may open them in a popup, which has to find its opener again. */
const SIGN_IN = /^sign-in\//;
const headersOf = (file: string) => ({
  'content-type': typeOf(file),
  'cache-control': HASHED.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
  ...(UNLISTED.test(file) && { 'x-robots-tag': 'noindex' }),
  ...(SIGN_IN.test(file) && {
    'content-security-policy': policyFor("'self'"),
    'cross-origin-opener-policy': 'unsafe-none',
  }),
});

function typeOf(file: string): string {
  const type = send.mime.getType(file) ?? 'application/octet-stream';
  return /^text\/|javascript|json|svg|xml/.test(type) ? `${type}; charset=utf-8` : type;
}
