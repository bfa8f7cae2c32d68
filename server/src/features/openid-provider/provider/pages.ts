import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { Deps } from '../../../http/deps.js';
import { fillPlaceholders } from '../../../http/transport/placeholders.js';
import type { Scope } from '../../../ledger/audit-store.js';
import { reader } from '../../../ledger/write.js';
import { findAccount } from '../../accounts/accounts.js';
import { readBrand } from '../../profile/profile.js';

/** Where the built page holds its data. */
const DATA = '<script id="page-data" type="application/json">{}</script>';
const PLAIN = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign in</title>${DATA}`;

/**
 * A form that ends with a redirect to the application may go anywhere, because browsers apply `form-action` to redirects, too.
 * Its address was checked against the client.
 */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join(';'),
  'x-frame-options': 'DENY',
  // An application may open a sign-in in a popup, which has to find the application's page when it has come back.
  'cross-origin-opener-policy': 'unsafe-none',
};

/** Also of the pages that the library writes itself, which have codes in their forms. It adds the hashes of their scripts to the policy. */
export async function setPageHeaders(
  context: KoaContextWithOIDC,
  next: () => Promise<unknown>,
): Promise<void> {
  context.set(HEADERS);
  await next();
  if (context.response.is('html')) context.set('cache-control', 'no-store');
}

/** JSON that cannot end the element that it is in. */
const jsonInHtml = (data: unknown) =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (at) => `\\u${at.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const DEVICE_PROBLEMS: Readonly<Record<string, string>> = {
  NoCodeError: 'missing',
  NotFoundError: 'unknown',
  ExpiredError: 'expired',
  AlreadyUsedError: 'used',
  AbortedError: 'aborted',
};

export type HostedPages = ReturnType<typeof createHostedPages>;

/** The pages that the provider shows itself: data for the built page of /sign-in. */
export function createHostedPages(
  { db, config, pagesFolder }: Pick<Deps, 'db' | 'config' | 'pagesFolder'>,
  scope: Scope,
) {
  const file = join(pagesFolder, 'sign-in/index.html');
  let html: string | undefined;

  async function render(context: KoaContextWithOIDC, data: object): Promise<void> {
    html ??= existsSync(file) ? fillPlaceholders(file, readFileSync(file, 'utf8'), config) : PLAIN;
    const account = await findAccount({ db }, scope.tenantId);
    const brand = { company: account?.companyName ?? '', ...(await readBrand(reader(db, scope))) };
    context.type = 'html';
    context.set(HEADERS);
    context.body = html.replace(
      DATA,
      () => `<script id="page-data" type="application/json">${jsonInHtml({ ...data, brand })}</script>`,
    );
  }

  const formOf = ({ oidc }: KoaContextWithOIDC, route: string) => ({
    action: oidc.urlFor(route),
    xsrf: oidc.session?.state?.secret,
  });
  const clientOf = ({ oidc }: KoaContextWithOIDC) =>
    oidc.client?.clientName === undefined ? {} : { client: { name: oidc.client.clientName } };

  return {
    /** The page explains a sign-in that took too long, which the library also calls an invalid request. */
    error: (
      context: KoaContextWithOIDC,
      out: { error: string; error_description?: string | undefined },
      error: Error,
    ) =>
      render(context, {
        view: 'error',
        error: error instanceof errors.SessionNotFound ? 'session_not_found' : out.error,
        description: out.error_description ?? '',
        ...(context.oidc?.route?.startsWith('end_session') && { isSignOut: true }),
      }),
    async signOut(context: KoaContextWithOIDC): Promise<void> {
      const policy = (await findAccount({ db }, scope.tenantId))?.securityPolicy;
      await render(context, {
        view: 'sign_out',
        ...formOf(context, 'end_session_confirm'),
        ...clientOf(context),
        // Only then does it matter whether the browser is known.
        ...((policy?.new_browser ?? 'allow') !== 'allow' && { account: scope }),
      });
    },
    signedOut: (context: KoaContextWithOIDC) => render(context, { view: 'signed_out', ...clientOf(context) }),
    async device(context: KoaContextWithOIDC, _form: string, _out?: unknown, error?: Error): Promise<void> {
      // Without a cookie, the form could never be submitted. The page sets one.
      if (error && context.oidc.session?.exp === undefined) {
        context.status = 303;
        context.redirect(context.oidc.urlFor('code_verification'));
        return;
      }
      await render(context, {
        view: 'device',
        ...formOf(context, 'code_verification'),
        ...(error && { problem: DEVICE_PROBLEMS[error.constructor.name] ?? 'unknown' }),
      });
    },
    confirmDevice: (
      context: KoaContextWithOIDC,
      _form: string,
      client: { clientName?: string | undefined },
      _info: unknown,
      userCode: string,
    ) =>
      render(context, {
        view: 'device_confirm',
        ...formOf(context, 'code_verification'),
        userCode,
        client: { name: client.clientName ?? '' },
      }),
    deviceDone: (context: KoaContextWithOIDC) =>
      render(context, { view: 'device_done', ...clientOf(context) }),
  };
}
