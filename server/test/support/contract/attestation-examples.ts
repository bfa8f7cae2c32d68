import { enrolmentBody, enrolPasskey, PhonePasskey } from '../attestation.js';
import { registerPerson } from '../phone.js';
import { accountOf } from '../several-phones.js';
import type { Prepared, Stage } from './prepared.js';

const scopeOf = ({ account: { key, tenantId } }: Stage) =>
  ({ tenantId, environment: key.startsWith('svc_test_') ? 'test' : 'live' }) as const;

/** A new person's phone that asks for a challenge or enrols a passkey. */
const enrolling =
  (isKeyless: boolean) =>
  async (stage: Stage): Promise<Prepared> => {
    const person = await registerPerson(stage.service, stage.account.key);
    const place = scopeOf(stage);
    const body = await enrolmentBody(stage.service, person, new PhonePasskey(), place);
    return { body: { ...(isKeyless && accountOf(place)), ...body } };
  };

/** Examples of what a phone does with its attestation key. */
export const ATTESTATION_EXAMPLES: Readonly<Record<string, (stage: Stage) => Promise<Prepared>>> = {
  'POST /v1/attestation/keys': enrolling(false),
  'POST /v1/phone/attestation/keys': enrolling(true),
  'GET /v1/attestation/keys': async (stage) => {
    const { service, account } = stage;
    const person = await registerPerson(service, account.key);
    await enrolPasskey(service, scopeOf(stage), person);
    return { path: `/v1/attestation/keys?did=${person.did}` };
  },
  'GET /v1/attestation/keys/:id/evidence': async (stage) => {
    const { service, account } = stage;
    const person = await registerPerson(service, account.key);
    const { keyId } = await enrolPasskey(service, scopeOf(stage), person);
    return { path: `/v1/attestation/keys/${keyId}/evidence` };
  },
  'DELETE /v1/attestation/keys/:id': async (stage) => {
    const { service, account } = stage;
    const person = await registerPerson(service, account.key);
    const { keyId } = await enrolPasskey(service, scopeOf(stage), person);
    return { path: `/v1/attestation/keys/${keyId}` };
  },
};
