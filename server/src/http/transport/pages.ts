import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join, relative } from 'node:path';
import send from '@fastify/send';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../../base/errors.js';
import { encodingOf, etagOf, isUnchanged } from './negotiation.js';

/** Single-page applications. All paths below theirs are served by the same page. */
const APPS = ['dashboard', 'phone'];
/** Paths that may exist at the root: the landing page, and what it and the others load. */
const ADDRESSES = [
  '/',
  '/favicon.svg',
  '/assets/*',
  '/docs',
  ...['docs', ...APPS].map((name) => `/${name}/*`),
];
/** Suffixes of the compressed forms that the build adds. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/** Scripts and everything else must come from this origin. Proving needs WebAssembly, and the phone page reads the camera. */
const HEADERS = {
  'content-security-policy': [
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
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join(';'),
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
};

/** A file of the built pages. */
interface Found {
  readonly file: string;
  readonly status: 200 | 404;
}

/** Serves the built pages in `folder`. The list of files is read once and no other path exists, so no request can leave it. */
export function mountPages(
  server: FastifyInstance,
  folder: string,
  answered: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  const files = existsSync(folder) ? filesOf(folder) : new Set<string>();
  const tagOf = createTags(folder);
  for (const app of APPS)
    server.get(`/${app}`, async (request, reply) => {
      await answered(request, reply);
      // A service worker may only control paths below its own.
      return reply.redirect(`/${app}/${request.url.slice(app.length + 1)}`, 308);
    });
  for (const url of ADDRESSES)
    server.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const { file, status } = find(files, request.url) ?? fail('not_found');
        const encoding = encodingOf(request.headers['accept-encoding'], (name) =>
          files.has(file + SUFFIXES[name]),
        );
        const path = encoding === undefined ? file : file + SUFFIXES[encoding];
        const tag = await tagOf(path);
        // A missing file cannot be unchanged, so it never returns 304.
        const isKept = status === 200 && isUnchanged(request.headers['if-none-match'], tag);
        const found = isKept
          ? undefined
          : await send(unconditional(request.raw), `/${path}`, { ...PLAIN, root: folder });
        await answered(request, reply);
        return reply
          .code(isKept ? 304 : status)
          .headers({
            ...found?.headers,
            ...HEADERS,
            ...headersOf(file),
            ...(status === 200 && { etag: tag }),
            ...(encoding && { 'content-encoding': encoding }),
          })
          .send(found?.stream);
      },
    });
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

/** The file for a path: the file itself, the index of a folder, its page, or the application it belongs to. */
function find(files: ReadonlySet<string>, url: string): Found | undefined {
  const path = (url.split('?', 1)[0] as string).replace(/^\/|\/$/g, '');
  const [app = ''] = path.split('/', 1);
  const candidates = [path, path === '' ? 'index.html' : `${path}/index.html`, `${path}.html`];
  if (APPS.includes(app) && !/\.\w+$/.test(path)) candidates.push(`${app}/index.html`);
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
const headersOf = (file: string) => ({
  'content-type': typeOf(file),
  'cache-control': HASHED.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
  vary: 'accept-encoding',
});

function typeOf(file: string): string {
  const type = send.mime.getType(file) ?? 'application/octet-stream';
  return /^text\/|javascript|json|svg/.test(type) ? `${type}; charset=utf-8` : type;
}
