import type { Route } from '../../../src/http/route.js';
import { ssoKey } from '../sso.js';
import type { Stage } from './prepared.js';

const ssoKeys = new Map<string, Promise<string>>();
/** A key of the account with the scopes for simulated sign-on, or the account's own key if none can be created. */
export function ssoKeyOf({ service, account }: Stage): Promise<string> {
  const environment = account.key.startsWith('svc_test_') ? 'test' : 'live';
  const created = ssoKeys.get(account.key) ?? ssoKey(service, account, environment).catch(() => account.key);
  ssoKeys.set(account.key, created);
  return created;
}

const eventKeys = new Map<string, Promise<string>>();
/** The same for events, webhooks, recoveries, erasures, approvals, sites and codes of attendance. */
export function eventKeyOf({ service, account }: Stage): Promise<string> {
  const environment = account.key.startsWith('svc_test_') ? 'test' : 'live';
  const scopes = [
    'events:read',
    'webhooks:write',
    'users:recover',
    'users:erase',
    'approvals:read',
    'approvals:write',
    'approvals:consume',
    'sites:read',
    'sites:write',
    'attendance:codes',
  ] as const;
  const created =
    eventKeys.get(account.key) ?? service.createKey(account, environment, scopes).catch(() => account.key);
  eventKeys.set(account.key, created);
  return created;
}

/** The account's key for a route: its first one, or another one where that lacks the scope. */
export function keyOf({ auth }: Route, stage: Stage): Promise<string> | string {
  if (auth.kind !== 'key') return stage.account.key;
  if (/^(saml|oidc):/.test(auth.scope)) return ssoKeyOf(stage);
  return /^(events|webhooks|approvals|sites):|^users:(recover|erase)$|^attendance:codes$/.test(auth.scope)
    ? eventKeyOf(stage)
    : stage.account.key;
}
