import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join, relative } from 'node:path';
import send from '@fastify/send';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../../base/errors.js';
import { encodingOf, etagOf, isUnchanged } from './negotiation.js';

/** Pages that are programs: every address below is theirs. */
const APPS = ['dashboard', 'phone'];
/** What may be built to stand at the root: the landing page, and what it and the others load. */
const ADDRESSES = [
  '/',
  '/favicon.svg',
  '/assets/*',
  '/docs',
  ...['docs', ...APPS].map((name) => `/${name}/*`),
];
/** What the build appends to a file's name for its compressed forms. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/** Scripts and all else come from here alone; WebAssembly is what a proof is made with, and cameras are read by the phone. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
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

/** Serves the built pages of `folder`. What is not among its files, read once, is not there: no path reaches beyond. */
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
      // What a page keeps for later, it keeps for addresses below its own.
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
        // What is not there cannot be unchanged.
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

/** Of what the files hold: neither their times nor their sizes tell one build from another. */
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

/** Pages are sent whole. */
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

/** The file of an address: itself, its folder's index, its page, or the program whose address it is. */
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

/** Files under assets/ bear the hash of what they hold; all else is asked for again. */
const headersOf = (file: string) => ({
  'content-type': typeOf(file),
  'cache-control': file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  vary: 'accept-encoding',
});

function typeOf(file: string): string {
  const type = send.mime.getType(file) ?? 'application/octet-stream';
  return /^text\/|javascript|json|svg/.test(type) ? `${type}; charset=utf-8` : type;
}
