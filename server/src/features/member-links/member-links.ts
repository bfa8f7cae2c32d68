import { memberLinkBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal } from '../../http/principal.js';
import { codeUrl, memberDeeplink } from '../../model/deeplink.js';
import { iso } from '../../records/schema.js';
import { linkToUser } from '../accounts/accounts.js';
import { type Claim, decide, type PhoneCaller, prove, reject } from '../proofs/proofs.js';
import type { LinkBody } from './member-links.schema.js';

const LINK_SECONDS = 10 * 60;

/** A member asks to be known as the person of a phone. The token is theirs, so no phone links itself to somebody else. */
export function openLink(
  { tokens, clock, config }: Pick<Deps, 'tokens' | 'clock' | 'config'>,
  { member, tenant }: Pick<ConsolePrincipal, 'member' | 'tenant'>,
) {
  // The phone shows the e-mail address, so that nobody confirms the log-in of somebody else.
  const token = tokens.sign(
    'member-link',
    { sub: member.id, acc: tenant.id, email: member.email },
    LINK_SECONDS,
  );
  const url = codeUrl(config.baseUrl, memberDeeplink(token));
  return { token, url, expiresAt: iso(new Date(clock.now() + LINK_SECONDS * 1000)) };
}

/** The phone of the member proves which person they are. From then on, they decide nothing about their own hours. */
export async function linkByPhone(caller: PhoneCaller, input: Static<typeof LinkBody>) {
  const { deps, scope } = caller;
  const claims = await deps.tokens.verify('member-link', input.token);
  const memberId = claims?.acc === scope.tenantId ? (claims.sub as string) : undefined;
  const claim: Claim = {
    purpose: 'member-link',
    action: 'member.linked',
    input,
    bindOf: (use) => memberLinkBind({ ...use, memberId: memberId ?? scope.tenantId }),
  };
  const proved = await prove(caller, claim);
  if (memberId === undefined) return reject(caller, claim, 'wrong_binding');
  await decide(
    caller,
    proved,
    async (w, prover) => {
      w.audit({ entityType: 'member', entityId: memberId, metadata: { userId: prover.user_id } });
      if (!(await linkToUser(w, memberId, prover.user_id)))
        fail('verification_failed', { because: 'no member' });
    },
    'tenant',
  );
  return { member: { id: memberId, userId: proved.prover.user_id } };
}
