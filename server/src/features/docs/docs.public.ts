import { openApi } from '../../kernel/openapi.js';
import { open, type Route, route } from '../../kernel/route.js';
import { errorPage, homePage, STYLE } from './pages.js';

const HTML = 'text/html; charset=utf-8';

/** What describes the service: the pages that errors point to, and the OpenAPI document of these very routes. */
export function docsPublic(version: string, routes: () => readonly Route[]): Route[] {
  let document: string | undefined;
  return [
    route({
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
    page('/', 'What this is, and where to go from here', () => homePage(version)),
    page('/docs', 'What there is to read', () => homePage(version)),
    page('/docs/', 'What there is to read', () => homePage(version)),
    page('/docs/errors', 'Every error code, what it means and what to do', () => errorPage(routes())),
    route({
      method: 'GET',
      path: '/docs/style.css',
      summary: 'The style of these pages',
      auth: open,
      replies: { 200: 'text/css; charset=utf-8' },
      database: false,
      handler: async () => STYLE,
    }),
  ];
}

function page(path: string, summary: string, render: () => string): Route {
  let text: string | undefined;
  return route({
    method: 'GET',
    path,
    summary,
    auth: open,
    replies: { 200: HTML },
    database: false,
    async handler() {
      text ??= render();
      return text;
    },
  });
}
