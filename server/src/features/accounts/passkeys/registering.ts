import type { Static } from 'typebox';
import { fail, invalid } from '../../../base/errors.js';
import { violates } from '../../../db/db.js';
import type { Deps } from '../../../http/deps.js';
import type { Write } from '../../../ledger/write.js';
import { VISIBLE_RULE, visibleName } from '../../../model/visible.js';
import type { Subject } from './challenges.store.js';
import type { RegistrationCredential } from './passkeys.schema.js';
import * as store from './passkeys.store.js';
import { verifyRegistration } from './verification.js';

/** Passkeys of a member. */
const MAX_PASSKEYS = 20;
const DEFAULT_NAME = 'Passkey';

type Credential = Static<typeof RegistrationCredential>;

const ANSWERS =
  'must be an authenticator’s answer to options of the last five minutes, which were not answered yet';

/** Checks the answer to registration options. @throws Failure `invalid_request` */
export async function requireNewPasskey(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'ids' | 'log'>,
  of: { readonly purpose: 'register' | 'join'; readonly subject: NonNullable<Subject> },
  { credential, name }: { readonly credential: Credential; readonly name?: string | undefined },
): Promise<store.NewPasskey> {
  const visible =
    name === undefined ? DEFAULT_NAME : (visibleName(name) ?? invalid('body.name', VISIBLE_RULE));
  const made = await verifyRegistration(deps, of, credential);
  if ('rejected' in made) {
    deps.log.info({ because: made.rejected }, 'a new passkey was rejected');
    return invalid('body.credential', ANSWERS);
  }
  return {
    id: deps.ids(),
    member_id: of.subject.memberId,
    credential_id: made.credentialId,
    public_key: made.publicKey,
    counter: made.counter,
    transports: credential.response.transports ?? [],
    is_synced: made.isSynced,
    name: visible,
    created_at: new Date(deps.clock.now()),
  };
}

/** Stores a passkey within the write of another rule. */
export async function addPasskey(w: Write, passkey: store.NewPasskey): Promise<store.PasskeyRow> {
  w.audit({ action: 'passkey.added', entityType: 'passkey', entityId: passkey.id });
  const row = await store.insertPasskey(w, passkey);
  if ((await store.listPasskeys(w, row.member_id)).length > MAX_PASSKEYS) fail('passkey_limit_reached');
  return row;
}

/** Runs a write that stores a passkey. @throws Failure `invalid_request` if somebody has this credential */
export async function refuseTaken<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (violates(error, 'passkeys_credential_key')) invalid('body.credential', 'is registered already');
    throw error;
  }
}
