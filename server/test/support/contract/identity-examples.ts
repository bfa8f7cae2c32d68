import { createIdentity } from '@svc/zk/phone';
import { registerPerson } from '../phone.js';
import {
  accountOf,
  proveAdd,
  proveIdentities,
  proveRevocation,
  proveRotation,
  withNewSecret,
} from '../several-phones.js';
import type { Prepared, Stage } from './prepared.js';

/** A request of a registered person's phone: its body, with the account if the phone has no API key. */
const ofPhone =
  (
    isKeyless: boolean,
    prove: (stage: Stage, person: Awaited<ReturnType<typeof registerPerson>>) => Promise<object>,
  ) =>
  async (stage: Stage): Promise<Prepared> => {
    const { service, account } = stage;
    const body = await prove(stage, await registerPerson(service, account.key));
    return { body: { ...(isKeyless && accountOf(account)), ...body } };
  };

const addition = (isKeyless: boolean) =>
  ofPhone(isKeyless, ({ service, account: { tenantId } }, person) =>
    proveAdd(service, person, createIdentity(), { tenantId }),
  );
const rotation = (isKeyless: boolean) =>
  ofPhone(isKeyless, ({ service, account: { tenantId } }, person) =>
    proveRotation(service, person, withNewSecret(person), { tenantId }),
  );

/** Examples of what a phone does with its person's identities. */
export const IDENTITY_EXAMPLES: Readonly<Record<string, (stage: Stage) => Promise<Prepared>>> = {
  'POST /v1/identity/add': addition(false),
  'POST /v1/identity/rotate': rotation(false),
  'POST /v1/phone/identity/add': addition(true),
  'POST /v1/phone/identity/rotate': rotation(true),
  'POST /v1/phone/identity/revoke': ofPhone(true, async ({ service, account: { tenantId } }, person) => ({
    ...(await proveRevocation(service, person, person.did, { tenantId })),
    revoke: person.did,
  })),
  'POST /v1/phone/identity/list': ofPhone(true, ({ service, account: { tenantId } }, person) =>
    proveIdentities(service, person, { tenantId }),
  ),
  'GET /v1/identity/:did/document': async ({ service, account }) => ({
    path: `/v1/identity/${(await registerPerson(service, account.key)).did}/document`,
  }),
};
