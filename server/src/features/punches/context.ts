import { shownName } from '@svc/zk/approvals/shown-name';
import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import { sharedReads } from '../../db/shared-reads.js';
import type { Deps } from '../../http/deps.js';
import type { Tenant } from '../../http/principal.js';
import type { BaseContext } from '../../http/route.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, reader } from '../../ledger/write.js';
import type { SecurityPolicy } from '../../model/security-policy.js';
import { iso } from '../../records/schema.js';

import { findAccount } from '../accounts/accounts.js';
import { isAtWork } from '../devices/devices.js';
import { isWithin, readNetwork } from '../keys/keys.js';
import { type SiteRow, siteOfDevice } from '../sites/sites.js';
import { readCode } from './codes.js';
import type { ContextQuery } from './punches.schema.js';

/** How long after the scan a punch can be sent. */
export const SUBMIT_MS = 120_000;
/** How long the same request gets the same event. */
export const REPEAT_MS = 10 * 60_000;

type ContextDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'keyring' | 'tokens'>;
type Caller = Pick<BaseContext, 'ip'> & { readonly deps: ContextDeps };

/** Where and when a punch is made, as the service has minted it. */
export interface Minted {
  readonly scope: Scope;
  readonly codeId: string | null;
  readonly deviceId: string | null;
  readonly mode: 'desk' | 'remote';
  readonly scannedAt: Date;
}

/** What a punch says of its place: as a phone may show it, whatever the names are. */
export interface Place {
  readonly company: string;
  readonly place: { readonly deviceId: string; readonly name: string } | null;
  readonly site: SiteRow | undefined;
  readonly policy: SecurityPolicy;
}

const COMPANY = 'An account';

/** The place of a punch as it is now. Undefined if the account or the device no longer works. */
export async function placeOf(
  read: Read,
  { deviceId }: Pick<Minted, 'deviceId'>,
  of: Promise<Tenant | undefined>,
): Promise<Place | undefined> {
  const [account, device, site] = await Promise.all([
    of,
    deviceId === null ? null : isAtWork(read, deviceId),
    deviceId === null ? undefined : siteOfDevice(read, deviceId),
  ]);
  if (account?.status !== 'active' || device === undefined) return undefined;
  return {
    company: shownName(account.companyName, COMPANY),
    place: device && { deviceId: device.id, name: shownName(device.name, device.id) },
    ...{ site, policy: account.securityPolicy },
  };
}

/** Whether a desk takes punches from this address: those of a network that the policy lists, if it lists some. */
export function isOnNetwork({ attendance }: SecurityPolicy, ip: string): boolean {
  const networks = (attendance?.networks ?? []).flatMap((text) => readNetwork(text) ?? []);
  return networks.length === 0 || isWithin(ip, networks);
}

/**
 * What a phone needs for a punch, by the code of a desk or for its own place. The time is that of the service, so neither a slow phone
 * nor one with another clock moves it. Nothing is written.
 */
export async function readContext({ deps, ip }: Caller, query: Static<typeof ContextQuery>) {
  const now = deps.clock.now();
  const of = minted(deps, query, now);
  const db = sharedReads(deps.db);
  const found = of && (await placeOf(reader(db, of.scope), of, findAccount({ db }, of.scope.tenantId)));
  if (of === undefined || found === undefined) return fail('attendance_code_invalid');
  const { company, place, site, policy } = found;
  if (of.mode === 'desk' && !isOnNetwork(policy, ip)) return fail('attendance_network_refused');
  const { tenantId, environment } = of.scope;
  const claims = {
    ...{ sub: of.codeId ?? tenantId, acc: tenantId, env: environment },
    ...{ mode: of.mode, device: of.deviceId, at: now },
  };
  return {
    context: {
      ...{ issuer: deps.config.baseUrl, tenant: tenantId, environment, company, mode: of.mode, place },
      ...{ siteId: site?.id ?? null, timeZone: site?.time_zone ?? null, breaks: site?.breaks ?? true },
      scannedAt: iso(of.scannedAt),
      submitUntil: iso(new Date(now + SUBMIT_MS)),
      ticket: deps.tokens.sign('attendance', claims, (SUBMIT_MS + REPEAT_MS) / 1000),
    },
  };
}

function minted(
  deps: ContextDeps,
  { code, tenantId, environment }: Static<typeof ContextQuery>,
  now: number,
): Minted | undefined {
  const scannedAt = new Date(now);
  if (code !== undefined) {
    const of = readCode(deps, code, now);
    return of && { scope: of.scope, codeId: of.id, deviceId: of.deviceId, mode: modeOf(of), scannedAt };
  }
  if (tenantId === undefined || environment === undefined) return undefined;
  const scope = { tenantId: tenantId.toLowerCase(), environment };
  return { scope, codeId: null, deviceId: null, mode: 'remote', scannedAt };
}

/** The code of a program has no place, so nobody can say that its punches were made at one. */
const modeOf = ({ deviceId }: { readonly deviceId: string | null }) =>
  deviceId === null ? 'remote' : 'desk';

/** What a ticket says. Undefined if the service did not make it, or too long ago for any answer. */
export async function readTicket(
  { tokens }: Pick<Deps, 'tokens'>,
  ticket: string,
): Promise<Minted | undefined> {
  const claims = await tokens.verify('attendance', ticket);
  if (claims === undefined) return undefined;
  const { sub, acc, env, mode, device, at } = claims as Record<string, unknown>;
  return {
    scope: { tenantId: acc as string, environment: env as Scope['environment'] },
    codeId: sub === acc ? null : (sub as string),
    deviceId: device as string | null,
    mode: mode as Minted['mode'],
    scannedAt: new Date(at as number),
  };
}
