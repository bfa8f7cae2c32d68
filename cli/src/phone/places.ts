import { type Environment, isSvcError, Svc } from '@svc/sdk';
import { createProver, type IdentityProver, type PhoneIdentity } from '@svc/sdk/prover';
import { artifactsFolder } from '@svc/zk/setup/artifacts';
import type { Context, Options } from '../command.js';
import { Failure, UsageError } from '../failure.js';
import { clientOptions } from '../settings.js';
import {
  type Enrollment,
  identityOf,
  openPhone,
  type PhoneFile,
  phonePath,
  renewedOf,
} from './phone-file.js';
import { readArtifacts } from './prove.js';

let prover: Promise<IdentityProver> | undefined;
/** Created once: building the prover's tables takes time. */
export function identityProver(): Promise<IdentityProver> {
  prover ??= createProver(readArtifacts(artifactsFolder));
  return prover;
}

/** A registered phone that proves for itself, without an API key. */
export interface OwnPhone {
  readonly phone: PhoneFile;
  readonly svc: Svc;
  readonly enrollment: Enrollment;
  readonly place: { readonly tenantId: string; readonly environment: Environment };
}

/** The phone's only registration that the options fit. @throws UsageError if there is none, or more than one */
export function ownPhone(run: Pick<Context, 'env'>, options: Options): OwnPhone {
  const phone = openPhone(phonePath(run, options));
  const baseUrl = options.baseUrl ?? (run.env.BASE_URL || undefined);
  const wanted = { baseUrl, tenantId: options.tenant, environment: options.environment };
  const fitting = phone.state.enrollments.filter(
    (each) =>
      each.sessionId === null &&
      Object.entries(wanted).every(([name, value]) => value === undefined || each[name as 'did'] === value),
  );
  const [enrollment, other] = fitting;
  if (enrollment === undefined)
    throw new UsageError(
      `This phone (${phone.path}) is not registered there. \`svc phone show\` lists where it is.`,
    );
  if (other !== undefined)
    throw new UsageError(
      'This phone is registered at several places. Choose one with --base-url, --tenant and --environment; `svc phone show` lists them.',
    );
  const { tenantId, environment } = enrollment;
  // The address comes from the phone's own file.
  const svc = new Svc(clientOptions(run, { ...options, baseUrl: enrollment.baseUrl }));
  return { phone, svc, enrollment, place: { tenantId, environment: environment as Environment } };
}

/** What the service says of an identity of this phone. Undefined if it does not accept the identity's proof. */
export async function readOwn({ svc, place }: Pick<OwnPhone, 'svc' | 'place'>, identity: PhoneIdentity) {
  const use = await svc.phone.createUse(place);
  try {
    return await svc.phone.identity.list(await (await identityProver()).proveIdentities(identity, use));
  } catch (error) {
    if (isSvcError(error, 'verification_failed')) return undefined;
    throw error;
  }
}

/**
 * The secret that is in force. After a rotation whose response was lost, it can be the new one or the old one: the new one is tried
 * first. A new one that is in force replaces the old one, which can never be used again. An old one is kept with the new one, because
 * the lost request may still arrive.
 */
export async function secretInForce(own: OwnPhone): Promise<{ own: OwnPhone; identity: PhoneIdentity }> {
  const { phone, enrollment } = own;
  const renewed = renewedOf(enrollment);
  if (renewed === undefined) return { own, identity: identityOf(enrollment) };
  if ((await readOwn(own, identityOf(renewed))) !== undefined) {
    phone.settle(renewed.commitment);
    return { own: { ...own, enrollment: renewed }, identity: identityOf(renewed) };
  }
  if ((await readOwn(own, identityOf(enrollment))) !== undefined)
    return { own, identity: identityOf(enrollment) };
  throw new Failure(
    'refused',
    'The service accepts neither the secret of this phone nor the new one of its last rotation. The identity was probably revoked. Both secrets are kept.',
  );
}
