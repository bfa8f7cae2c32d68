import { surroundingsOf } from '../../base/address.js';
import type { Mail } from '../../base/mail/mail.js';
import type { Deps } from '../../http/deps.js';
import type { BaseContext } from '../../http/route.js';
import { reader } from '../../ledger/write.js';
import { mailedName } from '../../model/mailed-name.js';
import { iso } from '../../records/schema.js';
import type { LoginRow } from './logins/logins.store.js';
import { listOwners } from './members/members.store.js';

const HOUR_MS = 60 * 60_000;
/** Notices an hour to the owners of an account, so that one account does not use up the mail of the others. */
const MAX_TO_OWNERS = 20;
/** Notices an hour to a member. */
const MAX_TO_MEMBER = 5;

/** Where something happens that members hear of. */
export type NoticeContext = Pick<BaseContext, 'address' | 'onClose'> & {
  readonly deps: Pick<Deps, 'config' | 'clock' | 'db' | 'limiter' | 'log' | 'mail'>;
};

export interface Notice {
  /** Without anything that somebody wrote, such as a name. */
  readonly subject: string;
  /** A sentence without the name of the company. */
  readonly what: string;
  /** What to do if it was not expected. */
  readonly advice: string;
  /** Members who hear of it although they are no owners any more. */
  readonly also?: readonly string[];
}

/** Tells all owners of an account, after the response. A request never waits for it or fails by it. */
export function warnOwners(context: NoticeContext, tenantId: string, notice: Notice): void {
  afterwards(context, async (mail) => {
    if (!(await mayWarn(context, `owners|${tenantId}`, MAX_TO_OWNERS))) return;
    const owners = await listOwners(reader(context.deps.db, { tenantId, environment: 'live' }), notice.also);
    for (const { email: to, company_name } of owners) mail.send(message(context, to, company_name, notice));
  });
}

type Member = Pick<LoginRow, 'member_id' | 'member_email' | 'company_name'>;

/** Tells a member, after the response. */
export function warnMember(context: NoticeContext, member: Member, notice: Notice): void {
  afterwards(context, async (mail) => {
    if (!(await mayWarn(context, `member|${member.member_id}`, MAX_TO_MEMBER))) return;
    mail.send(message(context, member.member_email, member.company_name, notice));
  });
}

function afterwards({ deps, onClose }: NoticeContext, warn: (mail: Mail) => Promise<void>): void {
  const { mail, log } = deps;
  if (mail === undefined) return;
  onClose(() => {
    warn(mail).catch((err: unknown) => log.error({ err }, 'a notice was not sent'));
  });
}

const mayWarn = async ({ deps }: NoticeContext, name: string, most: number): Promise<boolean> =>
  (await deps.limiter.hit(`notices|${name}`, most, HOUR_MS)).allowed;

function message({ deps, address }: NoticeContext, to: string, company: string, notice: Notice) {
  const name = mailedName(company);
  const when = iso(new Date(deps.clock.now())).replace(/T(..:..).*/, ' $1 UTC');
  const text = [
    ...(name === undefined ? [] : [`Account: ${name}`]),
    `What: ${notice.what}`,
    `When: ${when}`,
    `From: ${surroundingsOf(address) ?? 'an unknown network'}`,
    '',
    `If you expected this, there is nothing to do. If not: ${notice.advice}`,
    `${deps.config.baseUrl}/dashboard`,
    '',
  ];
  return { to, subject: `Your account: ${notice.subject}`, text: text.join('\n') };
}
