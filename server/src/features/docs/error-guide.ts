import { ERRORS, type ErrorCode } from '../../kernel/errors.js';
import type { Route } from '../../kernel/route.js';
import { errorsOf } from '../../kernel/route-errors.js';
import { CATALOGUE } from './catalogue.js';

const TITLES: Readonly<Record<number, string>> = {
  400: 'The request is wrong',
  401: 'Who is asking is not clear',
  403: 'Not allowed',
  404: 'Not there',
  405: 'Another method',
  409: 'Something stands in the way',
  410: 'No longer there',
  413: 'Too much',
  415: 'Another form',
  429: 'Too often',
  500: 'Our fault',
  503: 'Not now',
};

/** The endpoints that answer a code, folded away where they are many. */
function endpoints(code: ErrorCode, routes: readonly Route[]): string {
  const names = routes.filter((route) => errorsOf(route).includes(code)).map(nameOf);
  if (names.length === 0) return 'Answered where no endpoint takes the method.';
  if (names.length === routes.length) return 'Answered by every endpoint.';
  if (names.length === 1) return `Answered by \`${names[0]}\`.`;
  const items = names.map((name) => `- \`${name}\``).join('\n');
  return `<details><summary>Answered by ${names.length} endpoints</summary>\n\n${items}\n\n</details>`;
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`;

function section(code: ErrorCode, routes: readonly Route[]): string {
  const [status, message] = ERRORS[code];
  const { means, when, next } = CATALOGUE[code];
  return `### ${code}

${status}: *${message}*

${means} ${when}

**What to do.** ${next}

${endpoints(code, routes)}`;
}

/**
 * The guide to every code in Markdown, with an anchor for each, and where it is answered, which the routes tell. A status
 * without a title here has no section, and a test for each code would miss it.
 */
export function errorGuide(routes: readonly Route[]): string {
  const statuses = Object.entries(TITLES).map(([status, title]) => {
    const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code][0] === Number(status));
    return { status, title, codes };
  });
  const rows = statuses.map(
    ({ status, codes }) => `| ${status} | ${codes.map((code) => `[${code}](#${code})`).join(' ')} |`,
  );
  const parts = statuses.map(
    ({ status, title, codes }) =>
      `## ${status}: ${title}\n\n${codes.map((code) => section(code, routes)).join('\n\n')}`,
  );
  return `# Errors

Every failure is \`{ error, message, docs, requestId, details? }\`. Decide by \`error\`; show \`message\` to people; quote
\`requestId\` when you ask for help. [Errors with curl](../examples/curl/errors.md) shows some.

| | |
|---|---|
${rows.join('\n')}

${parts.join('\n\n')}
`;
}
