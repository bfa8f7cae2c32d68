import type { Mail } from '../../base/mail/mail.js';
import type { Deps } from '../../http/deps.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import { mailedName } from '../../model/mailed-name.js';
import { confirmedEmails } from '../users/users.js';

const MINUTE_MS = 60_000;

/** Where people are asked for approvals. */
export type LetterContext = Pick<BaseContext, 'onClose'> &
  Pick<ScopedContext, 'read' | 'scope'> & {
    readonly deps: Pick<Deps, 'config' | 'limiter' | 'log' | 'mail'>;
    readonly principal: { readonly tenant: { readonly companyName: string } };
  };

/**
 * Tells the people who have a confirmed e-mail that something waits for them, after the response. A request never waits for it or fails by
 * it. A mail can be read by others, so it names the company and has the link, and never says what is asked for [approvals/letters].
 */
export function tellApprovers(context: LetterContext, approvers: readonly string[], link: string): void {
  const { deps, onClose } = context;
  const { mail, log } = deps;
  if (mail === undefined) return;
  onClose(() => {
    tell(context, mail, approvers, link).catch((err: unknown) =>
      log.error({ err }, 'people were not told of an approval'),
    );
  });
}

async function tell(
  { deps, read, scope, principal }: LetterContext,
  mail: Mail,
  approvers: readonly string[],
  link: string,
): Promise<void> {
  const company = mailedName(principal.tenant.companyName);
  for (const { id, email } of await confirmedEmails(read, approvers)) {
    const { tenantId, environment } = scope;
    const key = `approval-letters|${tenantId}|${environment}|${id}`;
    if (!(await deps.limiter.hit(key, 1, MINUTE_MS)).allowed) continue;
    mail.send({ to: email, subject: 'An approval waits for you', text: textOf(company, link, environment) });
  }
}

const textOf = (company: string | undefined, link: string, environment: string) =>
  [
    `${company ?? 'A company where your phone is registered'} asks for your approval${environment === 'test' ? ' (test)' : ''}.`,
    'Open this on the phone that you registered. It shows what is asked for:',
    link,
    '',
    'If you expect nothing, open it and press “This was not me”. Nobody needs a code or a number of yours by e-mail.',
    '',
  ].join('\n');
