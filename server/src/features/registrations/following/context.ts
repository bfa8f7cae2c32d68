import type { Static } from 'typebox';
import { fail } from '../../../base/errors.js';
import { unaudited } from '../../../ledger/unaudited.js';
import { reader } from '../../../ledger/write.js';
import { onlyVisible } from '../../../model/visible.js';
import { iso } from '../../../records/schema.js';
import { followCode } from '../../codes/codes.js';
import { readBrand } from '../../profile/profile.js';
import type { ContextBody } from '../registrations.schema.js';
import { notePhone } from '../registrations.store.js';
import type { Phone } from '../session.js';
import { findOpening } from './following.store.js';

/** Published after each change of a registration, with its id. */
export const REGISTRATION_TOPIC = 'registration';

/**
 * Who a registration's first code is of and for, before the phone takes it. The code stays unused, and the desk learns that a phone has
 * opened it [registrations/what-a-phone-reads].
 */
export async function readContext({ deps, address }: Phone, input: Static<typeof ContextBody>) {
  const now = new Date(deps.clock.now());
  const sessionId = input.session_id;
  const opened = await deps.codeGuard.watch({ address, subjectId: sessionId }, () =>
    followCode(deps, 'pair', input.pair_code, now, ({ scope, subjectId: id }) =>
      findOpening(reader(deps.db, scope), { id, sessionId }, now),
    ),
  );
  if (opened === undefined) return fail('pair_failed', { because: 'code or session' });
  const { id, code, person_name: name, expires_at: expiresAt } = opened;
  const isNew = await notePhone(unaudited(deps.db, 'opened registrations'), code.scope, id, now);
  if (isNew) deps.bus.publish(REGISTRATION_TOPIC, id);
  const brand = await readBrand(reader(deps.db, code.scope));
  return {
    session_id: id,
    tenant_id: code.scope.tenantId,
    company_name: onlyVisible(code.companyName),
    accent_color: brand.accentColor,
    logo_url: brand.logoUrl,
    environment: code.scope.environment,
    person_name: name === null ? null : onlyVisible(name),
    expires_at: iso(expiresAt),
  };
}
