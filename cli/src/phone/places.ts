import { isSvcError, Svc } from '@svc/sdk';
import type { PhonePorts } from '@svc/sdk/phone';
import type { Context, Options } from '../command.js';
import { Failure, UsageError } from '../failure.js';
import { clientOptions } from '../settings.js';
import { type Enrollment, type FileSecret, openPhone, type PhoneFile, phonePath } from './phone-file.js';
import { type PhoneOptions, phoneOf } from './ports.js';

/** A registered phone that proves for itself, without an API key. */
export interface OwnPhone {
  readonly file: PhoneFile;
  readonly svc: Svc;
  readonly enrollment: Enrollment;
  readonly phone: PhonePorts<FileSecret>;
}

/** The enrollment's phone, at the address of the phone's own file. */
export function phoneAt(
  run: Pick<Context, 'env'>,
  file: PhoneFile,
  enrollment: Enrollment,
  options: Options,
  phoneOptions: PhoneOptions = {},
): OwnPhone {
  const svc = new Svc(clientOptions(run, { ...options, baseUrl: enrollment.baseUrl }));
  return { file, svc, enrollment, phone: phoneOf(file, svc, phoneOptions) };
}

/** The phone's only registration that the options fit. @throws UsageError if there is none, or more than one */
export function ownPhone(
  run: Pick<Context, 'env'>,
  options: Options,
  phoneOptions: PhoneOptions = {},
): OwnPhone {
  const file = openPhone(phonePath(run, options));
  const baseUrl = options.baseUrl ?? (run.env.BASE_URL || undefined);
  const wanted = { baseUrl, tenantId: options.tenant, environment: options.environment };
  const fitting = onePerPlace(file.state.enrollments).filter((each) =>
    Object.entries(wanted).every(([name, value]) => value === undefined || each[name as 'did'] === value),
  );
  const [enrollment, other] = fitting;
  if (enrollment === undefined)
    throw new UsageError(
      `This phone (${file.path}) is not registered there. \`svc phone show\` lists where it is.`,
    );
  if (other !== undefined)
    throw new UsageError(
      'This phone is registered at several places. Choose one with --base-url, --tenant and --environment; `svc phone show` lists them.',
    );
  return phoneAt(run, file, enrollment, options, phoneOptions);
}

/** The newest of each place: an older one is kept only until the newer one is confirmed. */
function onePerPlace(enrollments: readonly Enrollment[]): Enrollment[] {
  const places = new Map<string, Enrollment>();
  for (const each of enrollments) places.set(`${each.baseUrl} ${each.tenantId} ${each.environment}`, each);
  return [...places.values()];
}

/** Runs an act of the phone. After a rotation whose response was lost, a rejection says that neither secret was accepted. */
export async function acting<T>(act: Promise<T>, { renewal }: Enrollment): Promise<T> {
  try {
    return await act;
  } catch (error) {
    if (renewal === undefined || !isSvcError(error, 'verification_failed')) throw error;
    throw new Failure(
      'refused',
      'The service accepts neither the secret of this phone nor the new one of its last rotation. The identity was probably revoked. Both secrets are kept.',
    );
  }
}
