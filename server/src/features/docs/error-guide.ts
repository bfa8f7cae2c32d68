import { STATUS_CODES } from 'node:http';
import { errorsOf } from '../../http/openapi/route-errors.js';
import type { Route } from '../../http/route.js';
import { ERRORS, type ErrorCode } from '../../model/errors.js';

/** The endpoints that return a code, collapsed if there are many. */
function endpoints(code: ErrorCode, routes: readonly Route[]): string {
  const names = routes.filter((route) => errorsOf(route).includes(code)).map(nameOf);
  if (names.length === 0) return 'Returned when no endpoint supports the method.';
  if (names.length === routes.length) return 'Returned by every endpoint.';
  if (names.length === 1) return `Returned by \`${names[0]}\`.`;
  const items = names.map((name) => `- \`${name}\``).join('\n');
  return `<details><summary>Returned by ${names.length} endpoints</summary>\n\n${items}\n\n</details>`;
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`;

function section(code: ErrorCode, routes: readonly Route[]): string {
  const { status, message, cause, next } = ERRORS[code];
  return `### ${code}

${status}: *${message}*

${cause}

**What to do.** ${next}

${endpoints(code, routes)}`;
}

/** The guide to every code in Markdown, with an anchor for each and the endpoints that return it. */
export function errorGuide(routes: readonly Route[]): string {
  const all = Object.keys(ERRORS) as ErrorCode[];
  const statuses = [...new Set(all.map((code) => ERRORS[code].status))].map((status) => ({
    status,
    codes: all.filter((code) => ERRORS[code].status === status),
  }));
  const rows = statuses.map(
    ({ status, codes }) => `| ${status} | ${codes.map((code) => `[${code}](#${code})`).join(' ')} |`,
  );
  const parts = statuses.map(
    ({ status, codes }) =>
      `## ${status} ${STATUS_CODES[status]}\n\n${codes.map((code) => section(code, routes)).join('\n\n')}`,
  );
  return `# Errors

Every error response is \`{ error, message, docs, requestId, details? }\`. Branch on \`error\`, show \`message\` to users, and
include \`requestId\` in support requests. See [errors with curl](../examples/curl/errors.md) for examples.

| | |
|---|---|
${rows.join('\n')}

${parts.join('\n\n')}
`;
}
