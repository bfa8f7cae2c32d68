import { sha256 } from '../../../base/crypto/keyring.js';
import { fail } from '../../../base/errors.js';
import type { Mail } from '../../../base/mail/mail.js';
import type { BaseContext } from '../../../http/route.js';
import { canonicalEmail } from '../../../model/email.js';
import { mailedName } from '../../../model/mailed-name.js';
import { iso } from '../../../records/schema.js';
import { confirmEmail } from '../members/members.store.js';
import { replacePassword } from './logins.js';
import { findByEmail, type LoginRow } from './logins.store.js';
import * as store from './password-reset.store.js';
import { requireStrong } from './strong-password.js';

export { PASSWORD_RESET_EXPIRY } from './password-reset.store.js';

const RESET_MS = 30 * 60_000;
const MAX_MAILS = 5;
const HOUR_MS = 60 * 60_000;

/**
 * Sends a link to choose a new password, and says whether the service sends mail at all. A known and an unknown e-mail cost the same two steps before the response, and only then a
 * link is made.
 */
export async function forgetPassword(
  { deps, onClose }: Pick<BaseContext, 'deps' | 'onClose'>,
  input: { readonly email: string },
): Promise<{ accepted: true; mail: boolean }> {
  const { db, keyring, limiter, mail, log } = deps;
  const email = canonicalEmail(input.email) ?? '';
  const window = await limiter.hit(
    `password-reset|${keyring.hmac('login', `email|${email}`)}`,
    MAX_MAILS,
    HOUR_MS,
  );
  const row = await findByEmail(db, email);
  const reply = { accepted: true, mail: mail !== undefined } as const;
  if (mail === undefined || row === undefined || !window.allowed) return reply;
  onClose(() => {
    sendLink(deps, mail, row).catch((err: unknown) => log.error({ err }, 'a password reset was not sent'));
  });
  return reply;
}

/** The member has no password that could be reset. */
class NotResettable extends Error {}

async function sendLink(
  { config, clock, random, write }: BaseContext['deps'],
  mail: Mail,
  { id: tenantId, member_id: memberId, member_email: to, company_name: company }: LoginRow,
): Promise<void> {
  const now = clock.now();
  const expiresAt = new Date(now + RESET_MS);
  const token = Buffer.from(random.bytes(32)).toString('base64url');
  const request = {
    scope: { tenantId, environment: 'live' },
    actor: { type: 'system', id: null },
    action: 'tenant.password_reset_sent',
    locks: 'tenant',
  } as const;
  try {
    await write(request, async (w) => {
      const link = { memberId, tokenHash: sha256(token), now: new Date(now), expiresAt };
      if (!(await store.insertReset(w, link))) throw new NotResettable();
      w.audit({ entityType: 'member', entityId: memberId });
    });
  } catch (error) {
    if (error instanceof NotResettable) return;
    throw error;
  }
  const name = mailedName(company);
  const of = name === undefined ? '' : ` for the account of ${name}`;
  mail.send({
    to,
    subject: 'Choose a new password',
    text: `Somebody asked to reset your password${of}.\n\nChoose a new one here, until ${iso(expiresAt)}:\n${config.baseUrl}/dashboard/reset#${token}\n\nThe link works once, and ends your log-ins. If it was not you, ignore this message: your password stays.\n`,
  });
}

/** Replaces the password of the member who got the link, whose e-mail is confirmed by that. All their log-ins end. */
export async function resetPassword(
  { deps, writeIn }: Pick<BaseContext, 'deps' | 'writeIn'>,
  input: { readonly token: string; readonly newPassword: string },
): Promise<void> {
  const { db, clock, passwords, bus } = deps;
  const tokenHash = sha256(input.token);
  const reset =
    (await store.findReset(db, tokenHash, new Date(clock.now()))) ?? fail('password_reset_not_found');
  const { tenant_id: tenantId, member_id: memberId, email, company_name } = reset;
  requireStrong(input.newPassword, email, company_name, 'newPassword');
  const passwordHash = await passwords.hash(input.newPassword);
  await writeIn(
    { tenantId, environment: 'live' },
    { type: 'member', id: memberId },
    'tenant.password_reset',
    async (w) => {
      w.audit({ entityType: 'member', entityId: memberId });
      if (!(await store.useReset(w, tokenHash, new Date(clock.now())))) fail('password_reset_not_found');
      await replacePassword(w, memberId, passwordHash);
      await confirmEmail(w, memberId, new Date(clock.now()));
    },
    'tenant',
  );
  bus.publish('tenant', tenantId);
}
