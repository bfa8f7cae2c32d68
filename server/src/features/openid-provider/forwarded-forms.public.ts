import type { IncomingMessage, ServerResponse } from 'node:http';
import { open, type Route, route } from '../../http/route.js';
import { isForm } from '../../http/transport/body.js';
import { RawReply } from '../../http/transport/raw.js';
import { providerAt } from './openid-provider.public.js';
import { issuerPath, PATHS } from './provider/surface.js';

const HTML = 'text/html; charset=utf-8';
const PAGE = '<!doctype html><html lang="en"><title>Sign in</title></html>';
/** The address that follows, with the headers of a browser, has to fit into 16 KiB. */
const MAX_QUERY = 12 * 1024;

/** A form as the query of an address. Nothing for what is no form or too long: the endpoint then says what is missing. */
async function queryOf(request: IncomingMessage): Promise<string> {
  if (!isForm(request.headers['content-type'] ?? '')) return '';
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MAX_QUERY) return '';
    pieces.push(piece);
  }
  const query = new URLSearchParams(Buffer.concat(pieces).toString()).toString();
  return query === '' || query.length > MAX_QUERY ? '' : `?${query}`;
}

/**
 * A form that the page of an application sends comes without our cookies, which are `SameSite=Lax`: the browser would not be known. It
 * therefore asks again by GET, with them.
 */
const forwarded = (operationId: string, path: string, perMinute: number, summary: string): Route =>
  route({
    operationId,
    method: 'POST',
    path: `/oidc/:tenantId/:environment${path}`,
    summary,
    description: 'Redirects to the same endpoint by GET, with the fields of the form in the query.',
    auth: open,
    limit: { name: operationId, max: perMinute, windowSeconds: 60 },
    schemas: {
      params: { tenantId: 'not_found', environment: 'not_found' },
      forms: { environment: { pattern: /^(live|test)$/, example: 'live' } },
    },
    raw: true,
    noStore: true,
    replies: { 303: HTML },
    examples: { 303: PAGE },
    async handler({ deps, params }) {
      const { scope } = await providerAt(deps, params);
      return new RawReply(async (request: IncomingMessage, response: ServerResponse) => {
        const query = await queryOf(request);
        // What was not read is not read any more.
        if (!request.complete) response.setHeader('connection', 'close');
        response
          .writeHead(303, { location: `${issuerPath(scope)}${path}${query}`, 'content-type': HTML })
          .end(PAGE);
      });
    },
  });

export const forwardedForms: Route[] = [
  forwarded(
    'oidcAuthorizeByPost',
    PATHS.authorization,
    600,
    'OpenID Connect: the same as GET, for an application that sends a form',
  ),
  forwarded(
    'oidcSignOutByPost',
    PATHS.end_session,
    60,
    'OpenID Connect: ask whether to sign out, for an application that sends a form',
  ),
];
