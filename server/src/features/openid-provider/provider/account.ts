import type { AccountClaims, FindAccount, KoaContextWithOIDC } from 'oidc-provider';
import type { Scope } from '../../../ledger/audit-store.js';
import { type Read, reader } from '../../../ledger/write.js';
import { findUser } from '../../users/users.js';
import type { AdapterDeps } from './adapter.js';
import { unstoredSignIn } from './grants.js';
import { findGrantsOnce, knownGrants } from './request-grants.js';

/** How a person proved who they are: with a zero-knowledge proof by their phone. */
export const ACR = 'urn:svc:zkp';
/** RFC 8176: proof of possession of a key that software holds. */
export const AMR: readonly string[] = ['pop', 'swk'];

/** Which claims each scope gives. */
export const CLAIMS = {
  openid: ['sub', 'acr', 'amr', 'auth_time', 'verification_id'],
  profile: ['name'],
  email: ['email', 'email_verified'],
};

async function findActiveUser(read: Read, id: string) {
  const user = await findUser(read, id);
  return user?.status === 'active' ? user : undefined;
}

/** The account of a subject. Undefined if the user is not active. */
export const createFindAccount =
  ({ reads, clock }: Pick<AdapterDeps, 'reads' | 'clock'>, scope: Scope): FindAccount =>
  async (context: KoaContextWithOIDC, sub, token) => {
    const read = reader(reads, scope);
    const user =
      (await knownGrants(context)).find(({ user_id: id }) => id === sub) ?? (await findActiveUser(read, sub));
    if (user === undefined) return undefined;
    return {
      accountId: sub,
      async claims(): Promise<AccountClaims> {
        const grantId = token && 'grantId' in token ? token.grantId : undefined;
        const [grant] =
          grantId === undefined ? [] : await findGrantsOnce(context, read, [grantId], new Date(clock.now()));
        const verificationId =
          grant?.verification_id ?? unstoredSignIn(context.oidc.entities.Grant)?.verificationId;
        return {
          sub,
          name: user.full_name,
          ...(user.email !== null && { email: user.email, email_verified: false }),
          ...(verificationId !== undefined && { verification_id: verificationId }),
          // Of the sign-in, also where a token carries neither.
          acr: ACR,
          amr: AMR,
        };
      },
    };
  };
