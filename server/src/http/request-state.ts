import { fastifyCookie as cookies } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { clientAddress } from '../base/address.js';
import type { Config } from '../base/config/config.js';
import { type ErrorCode, fail } from '../base/errors.js';
import type { Hit } from '../cluster/rate-limit.js';
import type { Actor } from '../ledger/write.js';
import type { Slot } from './admission/admission.js';
import type { PlanCaller } from './deps.js';
import type {
  ConsolePrincipal,
  Credentials,
  DevicePrincipal,
  KeyPrincipal,
  LegacyPrincipal,
  StaffPrincipal,
} from './principal.js';
import type { Route } from './route.js';

/** What the pipeline knows of a request. */
export interface RequestState {
  readonly requestId: string;
  /** The client's whole address, as the connection or a trusted proxy reports it. */
  readonly ip: string;
  /** Identifies the client: `ip`, or its /64 for IPv6. */
  readonly address: string;
  readonly method: string;
  readonly startedAt: number;
  readonly startedMonotonic: number;
  params: Record<string, string>;
  bodyHash: string;
  /** The name of the endpoint in logs and metrics. */
  endpoint: string;
  route?: Route;
  /** Set before the credential is checked. */
  credentials?: Credentials;
  /** Absent for routes that are served under any load. */
  slot?: Slot;
  /** No key was sent to a route that phones may call without one. The body has to name an account. */
  isPhone?: boolean;
  keyPrincipal?: KeyPrincipal;
  devicePrincipal?: DevicePrincipal;
  staffPrincipal?: StaffPrincipal;
  consolePrincipal?: ConsolePrincipal;
  legacyPrincipal?: LegacyPrincipal;
  /** The hit in the plan's window, set once the quota has admitted the call too, until it has been settled. */
  planHit?: Hit | undefined;
  /** Whose plan that is. */
  planCaller?: PlanCaller;
  /** The hit in the windows of the address, if success reverts it. */
  addressHit?: { refund(): Promise<void> };
}

export const openState = ({
  requestId,
  ip,
  method,
  startedAt,
}: Pick<RequestState, 'requestId' | 'ip' | 'method' | 'startedAt'>): RequestState => ({
  requestId,
  ip,
  method,
  startedAt,
  address: clientAddress(ip),
  startedMonotonic: performance.now(),
  params: {},
  bodyHash: '',
  endpoint: '(none)',
});

export const principalOf = (state: RequestState) =>
  state.keyPrincipal ??
  state.devicePrincipal ??
  state.staffPrincipal ??
  state.consolePrincipal ??
  state.legacyPrincipal;

/** What a credential that ended during its request is rejected with. */
function endedCode({
  keyPrincipal,
  devicePrincipal,
  staffPrincipal,
  consolePrincipal,
}: RequestState): ErrorCode {
  if (keyPrincipal) return 'invalid_api_key';
  if (devicePrincipal) return 'device_session_invalid';
  if (staffPrincipal) return 'staff_session_invalid';
  return consolePrincipal ? 'invalid_console_token' : 'tenant_inactive';
}

/** Checks the caller's credential again in the transaction of a write. */
export function credentialOf(state: RequestState) {
  const principal = principalOf(state);
  if (principal === undefined) return undefined;
  const reject = () => fail(endedCode(state), { because: 'ended during the request' });
  const whileClosing = state.route?.whileClosing ?? false;
  return { revalidate: (now: number) => principal.revalidate(now, whileClosing), reject };
}

/** The scope and actor of a caller's writes. A console session chooses the environment by query. Default: live. */
export function callerOf(state: RequestState, query: Record<string, unknown>) {
  if (state.keyPrincipal) {
    const { tenant, keyId, environment } = state.keyPrincipal;
    return {
      scope: { tenantId: tenant.id, environment },
      actor: { type: 'api_key', id: keyId } satisfies Actor,
    };
  }
  if (state.devicePrincipal) {
    const { tenant, device, environment } = state.devicePrincipal;
    return {
      scope: { tenantId: tenant.id, environment },
      actor: { type: 'device', id: device.id } satisfies Actor,
    } as const;
  }
  if (state.staffPrincipal) {
    const { tenant, member, desk, environment } = state.staffPrincipal;
    return {
      scope: { tenantId: tenant.id, environment },
      actor: { type: 'member', id: member.id, deviceId: desk.id } satisfies Actor,
    } as const;
  }
  if (state.consolePrincipal) {
    const { tenant, member } = state.consolePrincipal;
    const environment = query.environment === 'test' ? 'test' : 'live';
    return {
      scope: { tenantId: tenant.id, environment },
      actor: { type: 'member', id: member.id } satisfies Actor,
    } as const;
  }
  if (state.legacyPrincipal) {
    const { id } = state.legacyPrincipal.tenant;
    return {
      scope: { tenantId: id, environment: 'live' },
      actor: { type: 'system', id: null } satisfies Actor,
    } as const;
  }
  return undefined;
}

/** Node joins repeated headers or drops the later ones. A credential that was sent twice must be rejected, not chosen by chance. */
export function credentialsOf(
  request: FastifyRequest,
  { ip, address }: Pick<RequestState, 'ip' | 'address'>,
  { baseUrl }: Pick<Config, 'baseUrl'>,
): Credentials {
  const header = (name: string) => {
    const { headers, rawHeaders } = request.raw;
    // Most of those that a request is searched for were not sent.
    if (headers[name] === undefined) return undefined;
    const values: string[] = [];
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const sent = rawHeaders[at] as string;
      if (sent.length === name.length && sent.toLowerCase() === name)
        values.push(rawHeaders[at + 1] as string);
    }
    return values.length > 1 ? values : values[0];
  };
  const onlyReads = request.method === 'GET' || request.method === 'HEAD';
  const isFromOwnPage =
    header('sec-fetch-site') === 'same-origin' &&
    (onlyReads || isOwnOrigin(header('origin'), request.host, baseUrl));
  const cookie = (name: string) => cookies.parse(request.headers.cookie ?? '')[name];
  return { ip, address, header, cookie, isFromOwnPage };
}

/** Of `BASE_URL`, or of the address by which the browser reached the service. A proxy may have ended TLS, so schemes may differ. */
function isOwnOrigin(origin: string | readonly string[] | undefined, host: string, baseUrl: string): boolean {
  if (typeof origin !== 'string' || !URL.canParse(origin)) return false;
  return [host, new URL(baseUrl).host].includes(new URL(origin).host);
}
