import { openApi } from '../../kernel/openapi.js';
import { open, type Route, route } from '../../kernel/route.js';

/** What describes the service to programs: the OpenAPI document of these very routes. People read the built pages under `/docs`. */
export function docsPublic(version: string, routes: () => readonly Route[]): Route[] {
  let document: string | undefined;
  return [
    route({
      operationId: 'getOpenApiDocument',
      method: 'GET',
      path: '/openapi.json',
      summary: 'This API as OpenAPI 3.1',
      auth: open,
      replies: { 200: 'application/json' },
      database: false,
      async handler() {
        document ??= JSON.stringify(openApi(routes(), version));
        return document;
      },
    }),
  ];
}
