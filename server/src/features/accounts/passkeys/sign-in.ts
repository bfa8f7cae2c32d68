import type { Static } from 'typebox';
import { fail } from '../../../base/errors.js';
import type { ConsolePrincipal } from '../../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../../http/route.js';
import type { Write } from '../../../ledger/write.js';
import { admit, confirm, recordAfterwards } from '../logins/logins.js';
import { findById, type LoginRow } from '../logins/logins.store.js';
import { authenticationOptions } from './options.js';
import { subjectOf } from './passkeys.js';
import type { AuthenticationCredential } from './passkeys.schema.js';
import * as store from './passkeys.store.js';
import { userHandle } from './relying-party.js';
import { spendAnswered, verifyAssertion } from './verification.js';

type Credential = Static<typeof AuthenticationCredential>;
type MemberContext = Pick<BaseContext, 'deps' | 'address' | 'node'> &
  Pick<ScopedContext, 'scope' | 'read' | 'write'> & { readonly principal: ConsolePrincipal };

const SIGN_IN = { purpose: 'sign-in', subject: null } as const;

/** What a browser needs so that anybody signs in with one of their passkeys. */
export const signInOptions = ({ deps }: Pick<BaseContext, 'deps'>) => authenticationOptions(deps, SIGN_IN);

/** The member whose passkey it is, and what records its use. Whatever is wrong, the error is the same. */
export async function memberOfPasskey(
  context: Pick<BaseContext, 'deps' | 'onClose'>,
  credential: Credential,
): Promise<{ readonly row: LoginRow; use(w: Write): Promise<void> }> {
  const { deps, onClose } = context;
  const challenge = await spendAnswered(deps, credential.response.clientDataJSON, SIGN_IN);
  if (challenge === undefined) return fail('invalid_credentials', { because: 'challenge' });
  const passkey = await store.findByCredential(deps.db, credential.id);
  if (passkey === undefined) return fail('invalid_credentials', { because: 'unknown passkey' });
  // The browser was not told who signs in, so the authenticator must say it.
  const isTheirs = credential.response.userHandle === userHandle(passkey.member_id);
  const checked = isTheirs
    ? await verifyAssertion(deps, challenge, passkey, credential)
    : { rejected: 'user handle' };
  if ('rejected' in checked) {
    onClose(() => recordAfterwards(deps, passkey.tenant_id));
    return fail('invalid_credentials', { because: checked.rejected });
  }
  const row = await findById(deps.db, passkey.tenant_id, passkey.member_id);
  if (row === undefined) return fail('invalid_credentials', { because: 'member' });
  return { row, use: (w) => recordUse(w, context, passkey, checked.counter) };
}

/** Logs in the member whose passkey it is. */
export async function signIn(
  context: Pick<BaseContext, 'deps' | 'address' | 'node' | 'writeIn' | 'onClose'>,
  credential: Credential,
): Promise<{ token: string; row: LoginRow }> {
  const { row, use } = await memberOfPasskey(context, credential);
  return { row, token: await admit(context, row, 'cookie', use) };
}

/** What a browser needs so that the member who asks confirms who they are. */
export async function stepUpOptions({ deps, read, principal }: MemberContext) {
  const passkeys = await store.listPasskeys(read, principal.member.id);
  return authenticationOptions(deps, { purpose: 'step-up', subject: subjectOf(principal) }, passkeys);
}

/** The member confirms who they are by one of their own passkeys. Returns until when that counts. */
export async function stepUpByPasskey(context: MemberContext, credential: Credential): Promise<string> {
  const { deps, principal } = context;
  const of = { purpose: 'step-up', subject: subjectOf(principal) } as const;
  const challenge = await spendAnswered(deps, credential.response.clientDataJSON, of);
  if (challenge === undefined) return refuse('challenge');
  const passkey = await store.findByCredential(deps.db, credential.id);
  if (passkey?.tenant_id !== of.subject.tenantId || passkey.member_id !== of.subject.memberId)
    return refuse('passkey of somebody else');
  const { userHandle: handle } = credential.response;
  if (handle != null && handle !== userHandle(passkey.member_id)) return refuse('user handle');
  const checked = await verifyAssertion(deps, challenge, passkey, credential);
  if ('rejected' in checked) return refuse(checked.rejected);
  return confirm(context, (w) => recordUse(w, context, passkey, checked.counter));
}

const refuse = (because: string): never =>
  fail('invalid_credentials', { because, message: 'The passkey was not accepted.' });

/** A counter that did not rise: somebody may have copied the passkey. Those that are synced have a counter on each device. */
async function recordUse(
  w: Write,
  { deps }: Pick<BaseContext, 'deps'>,
  passkey: store.PasskeyRow,
  counter: number,
): Promise<void> {
  const fell = (counter > 0 || passkey.counter > 0) && counter <= passkey.counter;
  if (fell) deps.log.warn({ passkeyId: passkey.id }, 'the counter of a passkey did not rise');
  if (!(await store.usePasskey(w, passkey, counter, new Date(deps.clock.now()))))
    fail('invalid_credentials', { because: 'counter, or removed' });
}
