import { randomUUID } from 'node:crypto';
import { addMember, type MemberAccount } from './members.js';
import { type Person, registerPerson } from './phone.js';
import { createSite, placeDesk, type Site } from './punches.js';
import type { Account, Service } from './service.js';
import { type OpenDesk, openedDesk } from './staff.js';

/** An account with a site, a desk there, and somebody who works there. */
export interface TimeScene {
  readonly account: Account;
  readonly site: Site;
  readonly desk: OpenDesk;
  readonly ada: Person;
}

export async function timeScene(service: Service): Promise<TimeScene> {
  const account = await service.signUp({ plan: 'enterprise' });
  const desk = await openedDesk(service, account);
  const site = await createSite(service, account);
  await placeDesk(service, account, desk, site);
  return { account, site, desk, ada: await employ(service, { account, site }) };
}

/** Somebody with a phone, created by the account. */
export async function employ(
  service: Service,
  { account, site }: Pick<TimeScene, 'account' | 'site'>,
  more: object = {},
): Promise<Person> {
  const { body, text } = await service.call('POST', '/v1/users', {
    as: account.key,
    body: { fullName: 'Ada Lovelace', externalId: randomUUID(), siteId: site.id, ...more },
  });
  if (body.user === undefined) throw new Error(`creating a person returned ${text}`);
  return registerPerson(service, account.key, { externalId: body.user.externalId });
}

/** A member with rights over hours. */
export async function memberWith(
  service: Service,
  account: Account,
  rights: object,
  role: 'auditor' | 'reception' | 'developer' | 'owner' = 'auditor',
): Promise<MemberAccount> {
  const member = await addMember(service, account, role);
  if (Object.keys(rights).length === 0) return member;
  const reply = await service.call('PATCH', `/api/console/members/${member.id}`, {
    as: account.token,
    body: rights,
  });
  if (reply.status !== 200) throw new Error(`giving rights returned ${reply.status} ${reply.text}`);
  return member;
}
