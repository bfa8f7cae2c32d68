import { rotate } from '@svc/sdk/phone';
import { type PhoneUse, renewIdentity } from '@svc/sdk/prover';
import { boundSignal, didHash } from '@svc/zk/field';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { type Person, type Use, useOf } from './phone.js';
import { type Open, phoneWith, proofs, secretOf } from './phones.js';
import { type Account, type Service, sharedProver } from './service.js';

/** A service, or the clock of one in another process. */
type Clocked = { readonly clock: Pick<Service['clock'], 'now'> };

/** A proof for any bind, also one that no phone makes. */
export async function proveBind({ did, biometricSecret, salt }: PhoneIdentity, bind: bigint) {
  const { proof, publicSignals } = await (await sharedProver()).prove({
    biometricSecret,
    salt,
    didHash: boundSignal(didHash(did), bind),
  });
  return { did, proof, publicSignals };
}

/** The same phone with a new secret, as it is after a rotation. */
export const withNewSecret = <P extends PhoneIdentity>(phone: P): P => ({
  ...phone,
  ...renewIdentity(phone),
});

/** A proof without its account, as the endpoints with an API key accept it. */
const withoutAccount = <P extends Pick<PhoneUse, 'tenantId' | 'environment'>>({
  tenantId: _,
  environment: __,
  ...body
}: P) => body;

/** As `/v1/identity/add` accepts it: `phone` adds `joining`. */
export async function proveAdd(service: Clocked, phone: PhoneIdentity, joining: PhoneIdentity, of: Use) {
  const use = useOf(service, of);
  const joined = await proofs.proveJoin(joining, use, phone.did);
  return withoutAccount(await proofs.proveAdd(phone, use, joined));
}

/** As `/v1/identity/rotate` accepts it: `renewed` is the phone with its new secret. */
export const proveRotation = async (
  service: Clocked,
  phone: PhoneIdentity,
  renewed: PhoneIdentity,
  use: Use,
) => withoutAccount(await proofs.proveRotate(phone, renewed, useOf(service, use)));

export async function proveRevocation(service: Clocked, phone: PhoneIdentity, revokedDid: string, use: Use) {
  const { revoke: _, ...proof } = await proofs.proveRevoke(phone, useOf(service, use), revokedDid);
  return withoutAccount(proof);
}

export const proveIdentities = async (service: Clocked, phone: PhoneIdentity, use: Use) =>
  withoutAccount(await proofs.proveIdentities(phone, useOf(service, use)));

export const proveBrowsers = async (service: Clocked, phone: PhoneIdentity, use: Use) =>
  withoutAccount(await proofs.proveBrowsers(phone, useOf(service, use)));

export const proveForgetBrowser = async (
  service: Clocked,
  phone: PhoneIdentity,
  browserId: string,
  use: Use,
) => withoutAccount(await proofs.proveForgetBrowser(phone, useOf(service, use), browserId));

export async function proveContest(service: Clocked, phone: PhoneIdentity, recoveryId: string, use: Use) {
  const { recoveryId: _, ...proof } = await proofs.proveContest(phone, useOf(service, use), recoveryId);
  return withoutAccount(proof);
}

/** A phone's account in a request without an API key. */
export const accountOf = ({ tenantId, environment = 'live' }: Use) => ({ tenantId, environment });

/** The account's server adds another phone of the person, with its key and a proof of `phone`. Two phones alone do more (`additions.ts`). */
export async function addPhone(service: Service, account: Account, phone: PhoneIdentity): Promise<Person> {
  const joining = createIdentity();
  const body = await proveAdd(service, phone, joining, { tenantId: account.tenantId });
  const reply = await service.call('POST', '/v1/identity/add', { as: account.key, body });
  if (reply.status !== 201) throw new Error(`adding returned ${reply.status} ${reply.text}`);
  return { ...joining, userId: reply.body.userId };
}

/** The phone replaces its secret. */
export async function rotatePhone<P extends PhoneIdentity>(
  service: Service,
  account: Account,
  phone: P,
): Promise<{ readonly renewed: P }> {
  const owner = phoneWith(service, account, phone);
  await rotate(owner, phone.did);
  const [stored] = (await owner.vault.read()).identities;
  return { renewed: { ...phone, ...secretOf(stored as Open) } };
}
