// @module-tag if-touched @core docs/ examples/ sdk/ cli/ contract/: runs every command of the documentation
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/model/scopes.js';
import { paste, requirePrograms } from '../support/contract/transcript.js';
import { type ListeningService, listeningService } from '../support/sdk.js';
import { ADMIN_KEY } from '../support/service.js';
import { openedDesk, staffAt } from '../support/staff.js';

const folderOfPages = fileURLToPath(new URL('../../../console/dist/docs/reference/', import.meta.url));
const pages = readdirSync(folderOfPages).filter((name) => /^(?!index|objects).*\.html$/.test(name));
/** Errors which mean that the sample is not a valid request to its endpoint. */
const REQUEST_ERRORS = [
  'invalid_request',
  'not_found',
  'method_not_allowed',
  'unsupported_media_type',
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scopes',
  'invalid_console_token',
  'missing_session_token',
  'rate_limit_exceeded',
];

/** A browser or a client sends these with values of its own sign-in. */
const OF_A_SIGN_IN = /^(get|post)-(oidc-tenantid|sign-in-uid)-/;

/** Samples that cannot be run as they are. */
const NOT_RUN = [
  // A browser is redirected to these URLs with values of its login, which no sample can contain.
  'get-demo-idp-saml-sso',
  'get-demo-idp-oidc-authorize',
  // These have the ids of images that were uploaded.
  'get-logos-tenantid-logoid',
  'get-product-logo-logoid',
  // It answers a challenge, which no sample can contain.
  'post-api-console-passkeys',
  // Their responses have no end.
  'get-api-console-requests-stream',
  'get-v1-events-stream',
  'get-v1-attendance-codes-codeid-stream',
  'get-api-console-events-stream',
];

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The operations of a page with their samples. Logout comes last because it ends the token. */
function samplesOf(page: string): { name: string; code: string }[] {
  const html = readFileSync(join(folderOfPages, page), 'utf8');
  const samples = html.split('<h2 ').slice(1);
  return samples
    .map((section) => ({
      name: /^id="([^"]+)"/.exec(section)?.[1] as string,
      code: textOf(/<div class="code sh"[^>]*>(.*?)<\/div>/s.exec(section)?.[1] as string),
    }))
    .sort((a, b) => Number(a.name.endsWith('logout')) - Number(b.name.endsWith('logout')));
}

describe('the samples of the reference', () => {
  let service: ListeningService;
  let folder: string;
  beforeAll(async () => {
    requirePrograms('bash', 'curl');
    folder = mkdtempSync(join(tmpdir(), 'svc-reference-'));
    service = await listeningService({ env: { ENABLE_DEMO_AUTH: 'true' } });
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(pages)('%s: all are valid requests', async (page) => {
    const account = await service.signUp({ plan: 'enterprise' });
    const key = await service.createKey(account, 'live', SCOPES);
    const desk = await openedDesk(service, account);
    const { authorization } = await staffAt(service, desk, account);
    const env = {
      BASE_URL: service.url,
      KEY: key,
      TOKEN: account.token,
      DEVICE_SESSION: desk.session,
      STAFF_TOKEN: String(authorization).replace('Bearer ', ''),
      ADMIN_API_KEY: ADMIN_KEY,
    };
    const wrong: string[] = [];
    const samples = samplesOf(page).filter(({ name }) => !NOT_RUN.includes(name) && !OF_A_SIGN_IN.test(name));
    expect(samples.length).toBeGreaterThan(0);
    for (let at = 0; at < samples.length; at += 8) {
      const some = samples.slice(at, at + 8);
      const answers = await paste(
        [
          `curl() { command curl -o answer -w '%{http_code} ' "$@" && head -c 300 answer | tr '\\0' ' '; }\n`,
          ...some.map(({ code }) => code),
        ],
        { cwd: folder, env },
      );
      for (const [index, answer] of answers.slice(1).entries()) {
        const error = /"error":"([a-z_]+)"/.exec(answer)?.[1];
        if (!/^[2-5]\d\d /.test(answer) || (error && REQUEST_ERRORS.includes(error)))
          wrong.push(`${some[index]?.name}: ${answer}`);
      }
      service.clock.advance(15 * 60_000); // past the rate limits per address
    }
    expect(wrong).toEqual([]);
  });
});
