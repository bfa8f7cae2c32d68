import Type from 'typebox';
import { openApi, type Surface } from '../../http/openapi/openapi.js';
import { open, type Route, route } from '../../http/route.js';
import { StaticText } from '../../http/transport/static-text.js';
import { strictObject } from '../../records/schema.js';

const SurfaceQuery = strictObject({
  surface: Type.Optional(
    Type.Enum(['all'], {
      description:
        'With `all`, includes the endpoints of the console, the operator, the simulated provider and the legacy surface.',
    }),
  ),
});

/** The OpenAPI document of these routes, for programs. People read the built pages under `/docs`. */
export function docsPublic(version: string, routes: () => readonly Route[]): Route[] {
  const documents = new Map<Surface, StaticText>();
  return [
    route({
      operationId: 'getOpenApiDocument',
      method: 'GET',
      path: '/openapi.json',
      summary: 'Get this API as OpenAPI 3.1',
      auth: open,
      schemas: { query: SurfaceQuery },
      replies: { 200: 'application/json' },
      replyHeaders: {
        ETag: {
          description: 'Send it in `If-None-Match` to get 304 if nothing has changed.',
          example: '"2jmj7l5rSw0yVb_vlWAYkK_YBwk4vrYMkVB4_gCmXWs"',
        },
      },
      database: false,
      async handler({ deps, query, setHeader }) {
        const surface = query.surface ?? 'integrator';
        const serverUrl = deps.config.docsOrigin || undefined;
        const document =
          documents.get(surface) ??
          new StaticText(JSON.stringify(openApi(routes(), { version, surface, serverUrl })));
        documents.set(surface, document);
        // Nothing in it is secret, so tools in a browser may load it from any origin.
        setHeader('access-control-allow-origin', '*');
        return document;
      },
    }),
  ];
}
