import type { ErrorCode } from '../../base/errors.js';
import { actsOf } from '../access.js';
import { accessOf, type Route, takesDevice, takesEnvironment, takesSession } from '../route.js';

const BY_CREDENTIAL: Readonly<Record<Route['auth']['kind'], readonly ErrorCode[]>> = {
  none: [],
  key: [
    'missing_api_key',
    'invalid_api_key',
    'address_not_allowed',
    'tenant_inactive',
    'insufficient_scopes',
    'rate_limit_exceeded',
    'monthly_quota_exceeded',
  ],
  console: ['invalid_console_token', 'tenant_inactive', 'rate_limit_exceeded'],
  device: ['device_session_invalid', 'tenant_inactive', 'rate_limit_exceeded', 'monthly_quota_exceeded'],
  staff: ['staff_session_invalid', 'tenant_inactive', 'rate_limit_exceeded', 'monthly_quota_exceeded'],
  legacy: ['tenant_inactive'],
  // Without ADMIN_API_KEY there is no admin surface: 404.
  admin: ['not_found', 'missing_api_key', 'invalid_api_key', 'rate_limit_exceeded'],
};

/** The codes that the pipeline can return on a route. */
function pipelineErrors(route: Route): ErrorCode[] {
  const { auth, limit, schemas, method, replay, when, database, replies, raw } = route;
  const readsBody = method !== 'GET' && !raw;
  const access = accessOf(route);
  const guards = access ? actsOf(route).map(({ guard }) => guard) : [];
  const codes: (ErrorCode | false | undefined)[] = [
    ...BY_CREDENTIAL[auth.kind],
    ...(takesSession(route) ? BY_CREDENTIAL.console : []),
    takesDevice(route) && 'device_session_invalid',
    access &&
      (takesEnvironment(route) || [access, ...guards].some(({ role }) => role !== 'member')) &&
      'role_insufficient',
    guards.length > 0 && 'step_up_required',
    guards.some(({ onlyTest }) => onlyTest) && 'api_key_required',
    limit && 'rate_limit_exceeded',
    readsBody && 'payload_too_large',
    readsBody && 'unsupported_media_type',
    readsBody && 'biometric_data_rejected',
    ...Object.values(schemas?.params ?? {}),
    replay && 'idempotency_key_reused',
    replay && 'idempotency_key_in_use',
    when && 'not_found',
    'invalid_request',
    // Health reports a missing database in a response of its own.
    database !== false && replies[503] === undefined && 'service_unavailable',
    'internal_error',
  ];
  return codes.filter((code) => typeof code === 'string');
}

/** Every code that a route can return: from its own rules and from the pipeline. */
export const errorsOf = (route: Route): ErrorCode[] =>
  [...new Set([...(route.errors ?? []), ...pipelineErrors(route)])].sort();
