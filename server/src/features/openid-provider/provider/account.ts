import type { AccountClaims, Client, FindAccount, KoaContextWithOIDC } from 'oidc-provider';
import type { Scope } from '../../../ledger/audit-store.js';
import { type Read, reader } from '../../../ledger/write.js';
import { findUser } from '../../users/users.js';
import { customValues } from '../clients/claims.js';
import { verificationOf } from '../keys/keys.js';
import type { AdapterDeps } from './adapter.js';
import { extraOf } from './client-metadata.js';
import { unstoredSignIn } from './grants.js';
import { findGrantsOnce, knownGrants } from './request-grants.js';

/** How a person proved who they are: with a zero-knowledge proof by their phone. */
export const ACR = 'urn:svc:zkp';
/** RFC 8176: proof of possession of a key that software holds. */
export const AMR: readonly string[] = ['pop', 'swk'];

/** Which claims each scope gives. Custom claims are `CUSTOM_CLAIMS`. */
export const CLAIMS = {
  openid: ['sub', 'acr', 'amr', 'auth_time', 'verification_id'],
  profile: ['name'],
  email: ['email', 'email_verified'],
  groups: ['groups'],
};

/** Where an account's claims hold the custom ones of an application: the library drops names that not every client has. */
export const CUSTOM_CLAIMS = Symbol('custom claims');

/** The values of an application's custom claims. `groups` is only for those who ask for the scope of that name. */
async function customClaimsOf(read: Read, client: Client, userId: string, scope: string) {
  const { svc_custom_claims: custom } = extraOf(client);
  const asked = Object.entries(custom).filter(
    ([name]) => name !== 'groups' || scope.split(' ').includes('groups'),
  );
  if (asked.length === 0) return {};
  return customValues(Object.fromEntries(asked), (await findUser(read, userId))?.metadata);
}

async function findActiveUser(read: Read, id: string) {
  const user = await findUser(read, id);
  return user?.status === 'active' ? user : undefined;
}

/** The account of a subject. Undefined if the user is not active. */
export const createFindAccount =
  ({ reads, clock }: Pick<AdapterDeps, 'reads' | 'clock'>, scope: Scope, salt: Buffer): FindAccount =>
  async (context: KoaContextWithOIDC, sub, token) => {
    const read = reader(reads, scope);
    const user =
      (await knownGrants(context)).find(({ user_id: id }) => id === sub) ?? (await findActiveUser(read, sub));
    if (user === undefined) return undefined;
    return {
      accountId: sub,
      async claims(use, granted): Promise<AccountClaims> {
        const grantId = token && 'grantId' in token ? token.grantId : undefined;
        const [grant] =
          grantId === undefined ? [] : await findGrantsOnce(context, read, [grantId], new Date(clock.now()));
        const verificationId =
          grant?.verification_id ?? unstoredSignIn(context.oidc.entities.Grant)?.verificationId;
        const client = context.oidc.client as Client;
        const extra = extraOf(client);
        const hasProfile = use === 'userinfo' || extra.svc_claims_in_id_token;
        return {
          sub,
          ...(hasProfile && {
            name: user.full_name,
            ...(user.email !== null &&
              !user.email_from_device && { email: user.email, email_verified: false }),
            [CUSTOM_CLAIMS]: await customClaimsOf(read, client, sub, granted),
          }),
          ...(verificationId !== undefined && {
            verification_id:
              extra.svc_subject_type === 'public'
                ? verificationId
                : verificationOf(salt, client.clientId, verificationId),
          }),
          // Of the sign-in, also where a token carries neither.
          acr: ACR,
          amr: AMR,
        };
      },
    };
  };
